import assert from "node:assert/strict";
import { ProgramMissingError, startPiped } from "../mod.ts";

const env = { PATH: "/usr/bin:/bin" };

Deno.test("startPiped gives three pipes, of which the output is read into one buffer", async () => {
  const line = 'read word; echo "$word: $A"; echo oops >&2; exit 3';
  const child = startPiped({ program: "sh", args: ["-c", line], env: { ...env, A: "1" } });
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("hello\n"));
  const reader = child.stdout.getReader({ mode: "byob" });
  let buffer = new Uint8Array(8);
  let text = "";
  for (;;) {
    const { value, done } = await reader.read(buffer);
    if (done) break;
    assert.equal(value.buffer.byteLength, 8);
    text += new TextDecoder().decode(value);
    buffer = new Uint8Array(value.buffer);
  }
  assert.equal(text, "hello: 1\n");
  assert.equal(await new Response(child.stderr).text(), "oops\n");
  assert.equal(await child.status, 3);
  child.kill();
  await writer.close().catch(() => {});
});

Deno.test("startPiped kills with SIGKILL, and names a missing program and folder", async () => {
  const child = startPiped({ program: "sh", args: ["-c", "exec cat"], env });
  child.kill();
  assert.equal(await child.status, 137);
  await Promise.all([child.stdout.cancel(), child.stderr.cancel(), child.stdin.close()]);
  const options = { program: "no-such-program", args: [], env };
  assert.throws(() => startPiped(options), ProgramMissingError);
  assert.throws(() => startPiped({ ...options, program: "sh", cwd: "/no/such" }), /\/no\/such/);
});
