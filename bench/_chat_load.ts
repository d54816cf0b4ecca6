/** The conversations of `bench/chats.ts`, and the clients that check them. */

/** The token that clients of `llmcmd serve` must send. */
export const TOKEN = "bench";
/** Words of one answer; the endpoint sends each in a few events. */
const WORDS = 5;
/** Milliseconds between two words. */
export const WORD_DELAY = 400;

/** Milliseconds between two words of a turn; the third turn is not measured. */
export function delayOf(turn: number): number {
  return turn === 3 ? 5 : WORD_DELAY;
}

/** The user's message in a turn of a conversation. */
export function messageOf(chat: number, turn: number): string {
  return `say turn ${turn} of chat ${String(chat).padStart(4, "0")}`;
}

/** The model's answer: no two conversations or turns have a word in common. */
export function answerOf(chat: number, turn: number): string {
  return Array.from(
    { length: WORDS },
    (_, at) =>
      `${chat}.${turn}.${at}\u2014\u65e5\u672c\ud83d\ude00${"x".repeat((7 * chat + at) % 90)}`,
  ).join(" ");
}

/** The outcome of one turn for its client, in milliseconds since the request. */
export interface ChatOutcome {
  readonly chat: number;
  readonly turn: number;
  readonly headers: number;
  readonly first: number;
  readonly end: number;
  /** The reason of a wrong answer; absent if every byte is right. */
  readonly problem?: string;
}

/** Calls a chat server, or the endpoint itself. */
function ask(url: string, chat: number, message: string): Promise<Response> {
  const [path, body] = url.endsWith("/v1")
    ? ["chat/completions", {
      model: "bare",
      stream: true,
      messages: [{ role: "user", content: message }],
    }]
    : ["chat", { message, session: `bench-session-${chat}` }];
  return fetch(`${url}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify(body),
  });
}

/** Sends a message in a conversation and reads the whole answer. */
async function talk(url: string, chat: number, turn: number): Promise<ChatOutcome> {
  const begin = performance.now();
  const since = () => performance.now() - begin;
  let headers = NaN;
  let first = NaN;
  let problem: string | undefined;
  try {
    const response = await ask(url, chat, messageOf(chat, turn));
    headers = since();
    const isEndpoint = url.endsWith("/v1");
    let stream = "";
    const decoder = new TextDecoder("utf-8", { fatal: true });
    for await (const chunk of response.body ?? []) {
      stream += decoder.decode(chunk, { stream: true });
      // The endpoint's first event holds only the role.
      if (Number.isNaN(first) && (!isEndpoint || /"content":"[^"]/.test(stream))) first = since();
    }
    problem = response.ok
      ? (isEndpoint ? endpointProblem : problemOf)(stream + decoder.decode(), answerOf(chat, turn))
      : `${response.status}: ${stream}`;
  } catch (error) {
    problem = String(error);
  }
  return {
    ...{ chat, turn, headers, first, end: since() },
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Reads server-sent events strictly: the text must join to `expected`, and `done` must end it. */
function problemOf(stream: string, expected: string): string | undefined {
  const events = stream.split("\n\n");
  if (events.pop() !== "") return "the last event is cut";
  let text = "";
  let done = 0;
  for (const event of events) {
    const fields = event.split("\n").map((line) => /^(event|data|id): (.*)$/.exec(line));
    const field = (name: string) => fields.find((it) => it?.[1] === name)?.[2];
    const data = JSON.parse(field("data") ?? "null");
    switch (field("event")) {
      case "text":
        text += data.content;
        break;
      case "done":
        done++;
        break;
      case "usage":
        break;
      default:
        return `unexpected: ${event}`;
    }
  }
  if (done !== 1 || !(events.at(-1) ?? "").includes("event: done")) return "it has no end";
  return text === expected ? undefined : `answered ${JSON.stringify(text)}`;
}

/** The reason why an answer of the endpoint itself is wrong. */
function endpointProblem(stream: string, expected: string): string | undefined {
  const events = stream.split("\n\n");
  if (events.pop() !== "" || events.pop() !== "data: [DONE]") return "it has no end";
  const text = events.map((event) => JSON.parse(event.slice(6)).choices?.[0]?.delta?.content ?? "");
  return text.join("") === expected ? undefined : `answered ${JSON.stringify(text.join(""))}`;
}

/** The clients: `URL CHATS MILLISECONDS_BETWEEN FIRST_TURN TURNS`; prints one outcome a line. */
if (import.meta.main) {
  const [url = "", ...numbers] = Deno.args;
  const [chats = 0, gap = 0, turn = 1, turns = 1] = numbers.map(Number);
  const results = Array.from({ length: chats }, async (_, chat) => {
    if (gap > 0) await new Promise((resolve) => setTimeout(resolve, chat * gap));
    const outcomes: ChatOutcome[] = [];
    for (let each = turn; each < turn + turns; each++) outcomes.push(await talk(url, chat, each));
    return outcomes;
  });
  for (const outcome of (await Promise.all(results)).flat()) console.log(JSON.stringify(outcome));
}
