import assert from "node:assert/strict";
import { playAll, serveStep, sseOf, STEP } from "./_testing.ts";
import { geminiApi, type HttpScript, MockRequestError } from "./mod.ts";

const body = { contents: [{ role: "user", parts: [{ text: "go" }] }] };
const STREAM = "streamGenerateContent?alt=sse";

function serve(
  step: unknown,
  method = "generateContent",
  given: Record<string, unknown> = body,
): HttpScript {
  return serveStep(geminiApi, `/v1beta/models/m-2.5:${method}`, step, given);
}

const json = (step: unknown) => JSON.parse(playAll(serve(step)).text);
const events = (step: unknown) => sseOf(playAll(serve(step, STREAM)).text);

const text = (content: string, more: object = {}) => ({ response: { content, ...more } });
const usageMetadata = {
  promptTokenCount: 100,
  candidatesTokenCount: 7,
  totalTokenCount: 107,
  cachedContentTokenCount: 64,
};
const functionCall = { id: "c1", name: "read", args: { fd: 3, max_size: 4096 } };

Deno.test("geminiApi.json is the response object of Gemini's API, with the model of the path", () => {
  const { responseId, ...rest } = json(STEP);
  assert.match(responseId, /^mock-[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    candidates: [{
      content: { role: "model", parts: [{ text: "I look now." }, { functionCall }] },
      finishReason: "STOP",
      index: 0,
    }],
    usageMetadata,
    modelVersion: "m-2.5",
  });
});

Deno.test("geminiApi.json tells why an answer was cut", () => {
  const reason = (finish_reason: string) =>
    json(text("", { finish_reason })).candidates[0].finishReason;
  assert.deepEqual([reason("length"), reason("content_filter")], ["MAX_TOKENS", "SAFETY"]);
  assert.equal("usageMetadata" in json(text("", { usage: null })), false);
});

Deno.test("geminiApi.events sends pieces of text, whole calls, and the reason last", () => {
  const sent = events(STEP);
  assert.deepEqual(sent.map(({ event }) => event), Array(5).fill(undefined));
  const chunk = (part: object, finish: object = {}) => ({
    candidates: [{ content: { role: "model", parts: [part] }, ...finish, index: 0 }],
    modelVersion: "m-2.5",
    responseId: sent[0]?.data.responseId,
  });
  assert.deepEqual(sent.map(({ data }) => data), [
    chunk({ text: "I" }),
    chunk({ text: " look" }),
    chunk({ text: " now." }),
    chunk({ functionCall }),
    { ...chunk({ text: "" }, { finishReason: "STOP" }), usageMetadata },
  ]);
});

Deno.test("geminiApi.events has the bytes of server-sent events without types", () => {
  const stream = playAll(serve(text("hi", { usage: null }), STREAM)).text;
  assert.equal(
    stream.replaceAll(/mock-[0-9a-f-]{36}/g, "ID"),
    'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"hi"}]},"index":0}],"modelVersion":"m-2.5","responseId":"ID"}\n\n' +
      'data: {"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP","index":0}],"modelVersion":"m-2.5","responseId":"ID"}\n\n',
  );
});

Deno.test("geminiApi.parse takes a content of function responses for no message of the user's", () => {
  const request = geminiApi.parse({
    systemInstruction: { parts: [{ text: "Be good" }] },
    contents: [
      { role: "user", parts: [{ text: "context" }, { text: "the task" }] },
      {
        role: "model",
        parts: [
          { text: "hm", thought: true },
          { functionCall: { name: "ls", args: {} } },
          { functionCall: { name: "ls" } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "ls", response: { output: "one" } } },
          { functionResponse: { name: "ls", response: { files: 2 } } },
          { text: "reminder" },
        ],
      },
    ],
    tools: [{ functionDeclarations: [{ name: "ls" }, { name: "cat" }] }, { googleSearch: {} }],
  });
  assert.deepEqual(
    [request.system, request.userText, request.toolResults, request.disorder],
    [["Be good"], "the task", ["one", '{"files":2}'], undefined],
  );
  assert.deepEqual([...request.tools], ["ls", "cat"]);
});

Deno.test("geminiApi.parse takes field names with underscores too", () => {
  const request = geminiApi.parse({
    system_instruction: { parts: [{ text: "Be good" }] },
    contents: [
      { parts: [{ text: "x" }] },
      { role: "model", parts: [{ function_call: { name: "ls" } }] },
      { role: "function", parts: [{ function_response: { name: "ls", response: {} } }] },
    ],
    tools: [{ function_declarations: [{ name: "ls" }] }],
    generation_config: {},
  });
  assert.deepEqual([request.system, request.userText, request.toolResults, [...request.tools]], [
    ["Be good"],
    "x",
    ["{}"],
    ["ls"],
  ]);
  assert.equal(request.fields.has("generationConfig"), true);
});

Deno.test("geminiApi.parse names the field that is wrong, and refuses a stream that is no SSE", () => {
  const refusal = (body: unknown, query = "alt=sse") => {
    try {
      geminiApi.parse(body, { path: "/v1beta/models/m:streamGenerateContent", query });
    } catch (error) {
      assert.ok(error instanceof MockRequestError);
      return error.message;
    }
    return undefined;
  };
  assert.equal(refusal(body), undefined);
  assert.equal(
    refusal(body, ""),
    "The mock streams server-sent events only: add ?alt=sse to the URL",
  );
  assert.equal(refusal({}), "Invalid 'contents': Expected array, received undefined");
  assert.equal(
    refusal({ contents: [{ parts: [{ functionCall: {} }] }] }),
    "Invalid 'contents[0].parts[0].functionCall.name': Expected string, received undefined",
  );
});

Deno.test("geminiApi counts the tokens of contents, or of a whole request", () => {
  const count = (given: Record<string, unknown>) =>
    JSON.parse(playAll(serve(STEP, "countTokens", given)).text);
  const contents = [{ parts: [{ text: "12345678" }] }];
  assert.deepEqual(count({ contents }), { totalTokens: 2 });
  const generateContentRequest = {
    model: "models/m",
    contents,
    systemInstruction: { parts: [{ text: "1234" }] },
  };
  assert.deepEqual(count({ generateContentRequest }), { totalTokens: 3 });
});

Deno.test("faults in Gemini's API: an error object in the stream, statuses and their words", () => {
  const failing = events({
    ...text("a b c"),
    fault: { error_after: 2, error: { message: "Busy", code: "UNAVAILABLE" } },
  });
  assert.equal(failing.length, 3);
  assert.deepEqual(failing[2]?.data, {
    error: { code: 500, message: "Busy", status: "UNAVAILABLE" },
  });
  const open = events({ ...text("a"), fault: { no_finish_reason: true } });
  assert.equal("finishReason" in open.at(-1)?.data.candidates[0], false);
  for (
    const [status, word] of [[429, "RESOURCE_EXHAUSTED"], [503, "UNAVAILABLE"], [
      400,
      "INVALID_ARGUMENT",
    ], [500, "INTERNAL"]] as const
  ) {
    const script = serve({ fault: { status, error: { code: "not_a_word_of_gemini" } } }, STREAM);
    const error = { code: status, message: `The scenario asks for status ${status}`, status: word };
    assert.deepEqual([script.status, JSON.parse(playAll(script).text)], [status, { error }]);
  }
});
