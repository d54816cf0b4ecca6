import assert from "node:assert/strict";
import { send } from "../http/_testing.ts";
import { appOf, chatBody, go, post } from "../mock/_testing.ts";
import { serverApp } from "./mod.ts";
import server from "../../../server.ts";

Deno.test("serverApp says what is mounted, and passes requests on unchanged", async () => {
  const mock = appOf([go({ response: { content: "Hi!" } })], { base: "/mock" });
  const app = serverApp([{ path: "/mock", about: "Mock LLM", app: mock }]);
  assert.deepEqual(await (await send(app, "/")).json(), {
    name: "llmcmd",
    mounts: { "/mock": "Mock LLM" },
  });
  assert.deepEqual(await (await send(app, "/health")).json(), { status: "ok", mounts: ["/mock"] });
  const response = await post(app, chatBody("go"), "/mock/v1/chat/completions");
  assert.equal((await response.json()).choices[0].message.content, "Hi!");
  const lost = await send(app, "/other");
  assert.equal(lost.status, 404);
  assert.equal((await lost.json()).error.message, "Nothing at /other; see GET /");
  assert.equal((await send(app, "/mocking")).status, 404);
});

Deno.test("server.ts serves the scenarios of spec.json under /mock", async () => {
  const response = await post(server, chatBody("how are you?"), "/mock/chat/completions");
  assert.equal(
    (await response.json()).choices[0].message.content,
    "I'm doing well, thank you for asking!",
  );
});
