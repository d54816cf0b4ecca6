import assert from "node:assert/strict";
import type { ApprovalRequest } from "../../coder/mod.ts";
import { noToAll, otherwise, yesToAll } from "./approvals.ts";

const request = (given: Partial<ApprovalRequest>): ApprovalRequest => ({
  kind: "write",
  what: "/usr/llmcmd-none/deep/file",
  why: "it is outside the folders that may be written to (/work)",
  session: "",
  callId: "1",
  ...given,
});

Deno.test("where nobody can be asked, the option that allows a call is named", () => {
  const start = "nobody can be asked here, but the user can start this again with ";
  // The nearest folder that exists.
  assert.equal(otherwise(request({})), `${start}--allow-dir /usr or --yes`);
  assert.equal(otherwise(request({ what: "/llmcmd-none/file" })), `${start}--yes`);
  assert.equal(otherwise(request({ kind: "read", why: "it is hidden" })), `${start}--yes`);
  assert.equal(otherwise(request({ why: "/home/me/.ssh is hidden" })), `${start}--yes`);
  assert.equal(otherwise(request({ kind: "command", why: undefined })), `${start}--yes`);
});

Deno.test("where nobody can be asked, the user is told what was refused", () => {
  const warnings: string[] = [];
  const refuse = noToAll((message) => warnings.push(message));
  const told = "nobody can be asked here, but the user can start this again with --yes";
  assert.equal(refuse(request({ kind: "command", what: "make\nrun", why: undefined })), told);
  assert.equal(refuse(request({ kind: "read", what: "/keys", why: "it is hidden" })), told);
  assert.deepEqual(warnings, [
    `the agent was not allowed to run "make\\nrun": ${told}`,
    `the agent was not allowed to read /keys: ${told}`,
  ]);
});

Deno.test("--yes allows each call once, and tells of those that are beyond", async () => {
  const warnings: string[] = [];
  const ask = yesToAll((message) => warnings.push(message));
  const { signal } = new AbortController();
  assert.equal(await ask(request({ what: "/a\nb" }), signal), "once");
  assert.equal(await ask(request({ kind: "command", what: "ls", why: undefined }), signal), "once");
  assert.deepEqual(warnings, [
    '--yes allows to write "/a\\nb": it is outside the folders that may be written to (/work)',
  ]);
});
