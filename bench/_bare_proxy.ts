/**
 * The second baseline of `bench/chats.ts`: the smallest `Deno.serve` handler that answers a chat
 * with the help of the endpoint. It passes the endpoint's text on as server-sent events, without
 * sessions, agent, limits or checks.
 */
const [endpoint = ""] = Deno.args;

async function answer(request: Request): Promise<Response> {
  const { message } = await request.json();
  const upstream = await fetch(`${endpoint}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "bare",
      stream: true,
      messages: [{ role: "user", content: message }],
    }),
  });
  const encoder = new TextEncoder();
  let rest = "";
  const body = upstream.body?.pipeThrough(new TextDecoderStream()).pipeThrough(
    new TransformStream<string, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        const events = (rest + chunk).split("\n\n");
        rest = events.pop() ?? "";
        for (const event of events) {
          if (event === "data: [DONE]") {
            controller.enqueue(encoder.encode("event: done\ndata: {}\n\n"));
            continue;
          }
          const content = JSON.parse(event.slice(6)).choices?.[0]?.delta?.content;
          if (!content) continue;
          const data = JSON.stringify({ content });
          controller.enqueue(encoder.encode(`event: text\ndata: ${data}\n\n`));
        }
      },
    }),
  );
  return new Response(body ?? null, { headers: { "content-type": "text/event-stream" } });
}

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.error(`http://127.0.0.1:${port}/`),
}, answer);
