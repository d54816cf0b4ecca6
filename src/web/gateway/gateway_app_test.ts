import assert from "node:assert/strict";
import { Hono } from "hono";
import {
  filesForTest,
  gitForTest,
  processesForTest,
  spawnForTest,
} from "../../cliagent/_testing.ts";
import { Gateway } from "../../cliagent/mod.ts";
import { send } from "../http/_testing.ts";
import { wholePage } from "../page/_testing.ts";
import { gatewayApp } from "./mod.ts";

/** Calls `use` with a gateway that has no models. */
async function withGateway(use: (gateway: Gateway) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "llmcmd-test-" });
  try {
    const gateway = await Gateway.open({
      registry: { get: () => Promise.reject(new Error()), list: () => Promise.resolve([]) },
      spawn: spawnForTest,
      git: gitForTest(folder),
      files: filesForTest,
      processes: processesForTest(1),
      variable: () => undefined,
      stateFolder: folder,
      warn: () => {},
    });
    await use(gateway);
    await gateway.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a gateway at a path of an own Hono app serves its page and its API below it", () =>
  withGateway(async (gateway) => {
    const llm = gatewayApp({ gateway, key: "k", base: "/llm" });
    const mounted = new Hono().mount("/llm", llm.fetch);
    const passed = new Hono().all("/llm/*", ({ req }) => llm.fetch(req.raw));
    for (const app of [mounted, passed]) {
      for (const page of ["/llm", "/llm/", "/llm/gateway"]) {
        const { files } = await wholePage((path) => send(app, path), page);
        assert.equal(files.size, 9);
        for (const path of files.keys()) assert.match(path, /^\/llm\/(gateway\/)?page\/\w+\.\w+$/);
      }
      const headers = { authorization: "Bearer k" };
      const models = await send(app, "/llm/v1/models", { headers });
      assert.deepEqual(await models.json(), { object: "list", data: [] });
      assert.equal((await send(app, "/llm/v1/models")).status, 401);
    }
  }));

Deno.test("a gateway names the whole path of what it does not have", () =>
  withGateway(async (gateway) => {
    const { fetch } = gatewayApp({ gateway, key: "k", base: "/llm" });
    const response = await send({ fetch }, "/llm/none");
    assert.equal(response.status, 404);
    assert.equal((await response.json()).error.message, "Invalid URL (GET /llm/none)");
  }));
