import assert from "node:assert/strict";
import { startLine } from "./start_line.ts";

Deno.test("startLine names the model, the folder, the sandbox and the session", () => {
  const facts = {
    model: "m",
    root: "/home/me/app",
    home: "/home/me",
    session: { id: "s1" },
    kept: true,
  };
  const first = (more: Partial<Parameters<typeof startLine>[0]>) =>
    startLine({ ...facts, sandbox: undefined, ...more }).split("\n")[0];
  const bwrap = { kind: "bwrap", network: true, writable: [] } as const;
  assert.equal(first({ sandbox: bwrap }), "m in ~/app, sandbox bwrap, session s1");
  assert.equal(
    first({ sandbox: { ...bwrap, network: false }, home: undefined, kept: false }),
    "m in /home/me/app, sandbox bwrap without network, session not kept",
  );
  const sandbox = { kind: "none", reason: "bwrap is not installed" } as const;
  assert.equal(first({ sandbox, root: "/home/mean" }), "m in /home/mean, no sandbox, session s1");
  assert.equal(first({ sandbox, root: "/home/me" }), "m in ~, no sandbox, session s1");
});
