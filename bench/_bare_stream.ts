/**
 * The first baseline of `bench/chats.ts`: the smallest stream of `Deno.serve`. It calls no
 * endpoint, but makes up the answer's words itself, at the pace of the endpoint.
 */
import { answerOf, delayOf } from "./_chat_load.ts";

async function answer(request: Request): Promise<Response> {
  const { message } = await request.json();
  const [, turn, chat] = /turn (\d+) of chat (\d+)/.exec(message) ?? [];
  const pieces = answerOf(Number(chat), Number(turn)).match(/\s*\S+/g) ?? [];
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const content = pieces.shift();
      if (content === undefined) {
        controller.enqueue(encoder.encode("event: done\ndata: {}\n\n"));
        return controller.close();
      }
      await new Promise((resolve) => setTimeout(resolve, delayOf(Number(turn))));
      controller.enqueue(encoder.encode(`event: text\ndata: ${JSON.stringify({ content })}\n\n`));
    },
  }, { highWaterMark: 0 });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.error(`http://127.0.0.1:${port}/`),
}, answer);
