import assert from "node:assert/strict";
import { optional } from "../../../tests/_optional.ts";
import { drivers, parseRegistry, runCliAgent, type RunEvent } from "../../cliagent/mod.ts";
import { chooseSandbox } from "../../terminal/mod.ts";
import { treeSpawner } from "./spawn_agent.ts";

const chosen = await chooseSandbox("bwrap").catch((error: Error) => ({
  kind: "none" as const,
  reason: error.message,
}));

Deno.test("treeSpawner says of a program that is there why it can't be started", async () => {
  const folder = await Deno.makeTempDir({ dir: "/tmp" });
  try {
    const program = `${folder}/cli`;
    await Deno.writeTextFile(program, "#!/bin/sh\n", { mode: 0o644 });
    const request = { program, args: [], cwd: "/usr", env: {}, cli: "generic", writable: [] };
    await assert.rejects(treeSpawner(undefined)({ ...request, sandbox: "none" }), {
      message:
        `Cannot start ${program}: it is not executable, or the program that its first line ` +
        "names is missing",
    });
    if (chosen.kind === "none") return;
    await assert.rejects(treeSpawner(undefined)({ ...request, sandbox: "bwrap" }), {
      message: `Cannot start ${program} in the sandbox, which has a /tmp of its own; put it ` +
        "elsewhere",
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test({
  ...optional(
    "treeSpawner: a CLI in bwrap sees its worktree, but neither the gateway's key nor other runs",
    chosen.kind === "bwrap" ? undefined : { reason: chosen.reason },
  ),
  async fn() {
    const home = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp" }));
    try {
      const state = `${home}/.local/state/llmcmd`;
      for (const run of ["mine", "other"]) {
        await Deno.mkdir(`${state}/gateway/worktrees/${run}`, { recursive: true });
      }
      await Deno.writeTextFile(`${state}/key`, "private");
      const cwd = `${state}/gateway/worktrees/mine`;
      const script = `echo kept >file; ls ${state} ${state}/gateway/worktrees; ` +
        // It holds the outputs open, and is killed at the end.
        "touch ../more || sleep 300 &";
      const command = { program: "/bin/sh", args: ["-c", script], cwd, env: {}, passEnv: [] };
      const text = JSON.stringify({
        m: { driver: "generic", command: "/bin/sh", repoPath: cwd, sandbox: "bwrap" },
      });
      const entry = parseRegistry(text, { file: "models.json", folder: "/" }).get("m");
      assert.ok(entry);
      const events: RunEvent[] = [];
      const request = {
        id: "mine",
        entry,
        driver: drivers.generic,
        command: { ...command, stdin: "" },
      };
      const ports = {
        spawn: treeSpawner(home),
        variable: (name: string) => name === "PATH" ? Deno.env.get("PATH") : undefined,
        limits: { drainTime: 50 },
      };
      for await (const event of runCliAgent(request, ports)) events.push(event);
      const ended = events.at(-1);
      assert.ok(ended?.type === "ended");
      assert.deepEqual([ended.outcome.error, ended.outcome.answer.split("\n")], [undefined, [
        `${state}/gateway/worktrees:`,
        "mine",
      ]]);
      assert.equal(await Deno.readTextFile(`${cwd}/file`), "kept\n");
      await assert.rejects(Deno.stat(`${state}/gateway/worktrees/more`), Deno.errors.NotFound);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  },
});
