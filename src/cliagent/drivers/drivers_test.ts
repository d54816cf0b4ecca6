import assert from "node:assert/strict";
import { parseRegistry } from "../registry/mod.ts";
import { type DriverRequest, drivers } from "./mod.ts";

function request(
  entry: Record<string, unknown>,
  rest: Partial<DriverRequest> = {},
): DriverRequest {
  const text = JSON.stringify({ m: { repoPath: "/repo", ...entry } });
  const model = parseRegistry(text, { file: "models.json", folder: "/" }).get("m");
  assert.ok(model !== undefined);
  return { entry: model, cwd: "/repo", prompt: "/do it", ...rest };
}

Deno.test("codex's command: its sandbox, nothing kept, the prompt on standard input", () => {
  assert.deepEqual(drivers.codex.command(request({ driver: "codex", env: ["CODEX_API_KEY"] })), {
    program: "codex",
    args: [
      "exec",
      "--json",
      "--color",
      "never",
      "--skip-git-repo-check",
      "--cd",
      "/repo",
      "--ephemeral",
      "--sandbox",
      "workspace-write",
      "-",
    ],
    cwd: "/repo",
    env: {},
    passEnv: ["CODEX_API_KEY"],
    stdin: "/do it",
  });
});

Deno.test("codex's command: model, own arguments, git's folders, a session that goes on", () => {
  const { args, program } = drivers.codex.command(request(
    { driver: "codex", command: "/opt/codex", model: "gpt-x", args: ["-c", "a=1", "-sread-only"] },
    { session: { id: "t-1", resume: true }, writable: ["/repo/.git"] },
  ));
  assert.equal(program, "/opt/codex");
  assert.deepEqual(args, [
    "exec",
    "--json",
    "--color",
    "never",
    "--skip-git-repo-check",
    "--cd",
    "/repo",
    "-c",
    'sandbox_workspace_write.writable_roots=["/repo/.git"]',
    "--model",
    "gpt-x",
    "-c",
    "a=1",
    "-sread-only",
    "resume",
    "t-1",
    "-",
  ]);
  const inside = drivers.codex.command(request(
    { driver: "codex", sandbox: "bwrap" },
    { session: "new", writable: ["/repo/.git"] },
  ));
  assert.deepEqual(inside.args.slice(4), [
    "--skip-git-repo-check",
    "--cd",
    "/repo",
    "--sandbox",
    "danger-full-access",
    "-",
  ]);
});

Deno.test("gemini's command: events, no questions, a trusted folder, no /command", () => {
  assert.deepEqual(drivers.gemini.command(request({ driver: "gemini", model: "flash" })), {
    program: "gemini",
    args: ["--output-format", "stream-json", "--approval-mode", "yolo", "--model", "flash"],
    cwd: "/repo",
    env: { GEMINI_CLI_NO_RELAUNCH: "true", GEMINI_CLI_TRUST_WORKSPACE: "true" },
    passEnv: [],
    stdin: "\n/do it",
  });
  const { args } = drivers.gemini.command(
    request(
      { driver: "gemini", args: ["--approval-mode=auto_edit", "-m", "pro"], model: "flash" },
      {
        session: { id: "u-1", resume: false },
      },
    ),
  );
  assert.deepEqual(args, [
    "--output-format",
    "stream-json",
    "--session-id",
    "u-1",
    "--approval-mode=auto_edit",
    "-m",
    "pro",
  ]);
});

Deno.test("qwen's command: pieces of messages, no questions, a session that goes on", () => {
  assert.deepEqual(
    drivers.qwen.command(
      request({ driver: "qwen", model: "coder" }, { session: { id: "u-1", resume: true } }),
    ),
    {
      program: "qwen",
      args: [
        "--output-format",
        "stream-json",
        "--include-partial-messages",
        "--approval-mode",
        "yolo",
        "--model",
        "coder",
        "--resume",
        "u-1",
      ],
      cwd: "/repo",
      env: { QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" },
      passEnv: [],
      stdin: "\n/do it",
    },
  );
});

Deno.test("claude's command: pieces of messages, no questions, nothing kept", () => {
  assert.deepEqual(drivers.claude.command(request({ driver: "claude" })), {
    program: "claude",
    args: [
      "--print",
      "--output-format",
      "stream-json",
      "--verbose",
      "--include-partial-messages",
      "--permission-mode",
      "bypassPermissions",
      "--no-session-persistence",
    ],
    cwd: "/repo",
    env: {},
    passEnv: [],
    stdin: "\n/do it",
  });
  const { args, env } = drivers.claude.command(request(
    { driver: "claude", sandbox: "bwrap", args: ["--permission-mode", "plan"], model: "opus" },
    { session: { id: "u-1", resume: false } },
  ));
  assert.deepEqual(args.slice(5), [
    "--model",
    "opus",
    "--session-id",
    "u-1",
    "--permission-mode",
    "plan",
  ]);
  assert.deepEqual(env, { IS_SANDBOX: "1" });
});

Deno.test("generic's command is the entry's own", () => {
  assert.deepEqual(
    drivers.generic.command(request({ driver: "generic", command: "/bin/cat", args: ["-u"] })),
    {
      program: "/bin/cat",
      args: ["-u"],
      cwd: "/repo",
      env: {},
      passEnv: [],
      stdin: "/do it",
    },
  );
});
