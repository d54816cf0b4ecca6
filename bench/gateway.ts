/**
 * Measures the overhead of `llmcmd proxy` for the CLI that it runs: `deno task bench:gateway
 * [runs]`.
 *
 * - a call of a small script against the same script started directly;
 * - a call in a worktree against the same script and the same git commands run directly;
 * - 50 calls at once of a CLI that takes a second, of which 8 may run: that each is answered, in
 *   which order, and the total time.
 */
import { Proxy } from "../tests/_proxy.ts";
import { figure, machine, markdownTable, median } from "./_report.ts";

const runs = Number(Deno.args[0] ?? 20);
const CALLS = 50;
const AT_ONCE = 8;

/** A git command that the gateway ran. */
interface GitCommand {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly args: readonly string[];
}

const GIT_VARIABLES = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_LITERAL_PATHSPECS"];

/** Makes a `git`, for the head of a PATH, that logs its commands. */
async function recordingGit(folder: string, log: string): Promise<string> {
  const found = await new Deno.Command("sh", { args: ["-c", "command -v git"] }).output();
  const git = new TextDecoder().decode(found.stdout).trim();
  const values = GIT_VARIABLES.map((name) => `"$${name}"`).join(" ");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(
    `${folder}/git`,
    `#!/bin/sh\n{ printf '%s\\0' "$PWD" ${values} "$@"; printf '\\n'; } >>${log}\nexec ${git} "$@"\n`,
  );
  await Deno.chmod(`${folder}/git`, 0o755);
  return folder;
}

function parse(line: string): GitCommand {
  const [cwd = "", ...rest] = line.split("\0").slice(0, -1);
  const env = Object.fromEntries(
    GIT_VARIABLES.map((name, index) => [name, rest[index] ?? ""]).filter(([, value]) => value),
  );
  return { cwd, env, args: rest.slice(GIT_VARIABLES.length) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

async function run(command: string, cwd: string, args: readonly string[], env = {}) {
  const { success, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd,
    env: { LC_ALL: "C", ...env },
    stdin: "null",
  }).output();
  if (!success) {
    throw new Error(`${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  }
}

async function ask(proxy: Proxy, model: string, text = "Hi"): Promise<string> {
  const messages = [{ role: "user", content: text }];
  const { response, body } = await proxy.ask(model, { messages });
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return body.choices[0].message.content;
}

const entry = (command: string, more = {}) => ({
  ...{ driver: "generic", command: `./${command}`, repoPath: "repo", ...more },
});

/** The git commands of one call in a worktree. */
async function recorded(models: Record<string, unknown>): Promise<GitCommand[]> {
  const folder = await Deno.makeTempDir({ prefix: "gateway-git-" });
  try {
    const log = `${folder}/log`;
    const bin = await recordingGit(`${folder}/bin`, log);
    await using proxy = await Proxy.start(models, { PATH: `${bin}:${Deno.env.get("PATH")}` });
    await fill(proxy);
    await Deno.writeTextFile(log, "");
    await ask(proxy, "tree");
    const lines = (await Deno.readTextFile(log)).split("\n").filter((line) => line !== "");
    return lines.map(parse).map((command) => replaced(command, proxy.folder, "@FOLDER@"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function replaced(command: GitCommand, from: string, to: string): GitCommand {
  const other = (text: string) => text.replaceAll(from, to);
  return {
    cwd: other(command.cwd),
    env: Object.fromEntries(
      Object.entries(command.env).map(([name, value]) => [name, other(value)]),
    ),
    // Commits have other hashes in another repository.
    args: command.args.map((arg) => /^[0-9a-f]{40}$/.test(arg) ? "HEAD" : other(arg)),
  };
}

/** Adds 50 files, as a small repository has. */
async function fill(proxy: Proxy): Promise<void> {
  for (let file = 0; file < 50; file++) {
    await Deno.writeTextFile(`${proxy.folder}/repo/f${file}.txt`, `line ${file}\n`.repeat(100));
  }
  await proxy.initRepo();
}

const models = {
  // Without a worktree, calls to one repository take turns.
  second: entry("second", { worktree: true, maxConcurrent: AT_ONCE }),
  tree: entry("obey", { worktree: true }),
};
const commands = await recorded(models);
await using proxy = await Proxy.start(models);
await fill(proxy);
await Deno.writeTextFile(`${proxy.folder}/second`, "#!/bin/sh\nsleep 1; tail -n 1\n");
await Deno.chmod(`${proxy.folder}/second`, 0o755);
const root = `${proxy.folder}/repo`;
const script = () => run(`${proxy.folder}/obey`, root, []);
let copy = 0;
const gitOf = async () => {
  // The name of the worktree must differ each time.
  const name = `bare-${copy++}`;
  for (const command of commands) {
    const here = replaced(command, "@FOLDER@", proxy.folder);
    const tree = /worktrees\/([^/]+)/.exec(JSON.stringify(commands))?.[1] ?? "";
    const { cwd, env, args } = replaced(here, tree, name);
    await run("git", cwd, args, env).catch((error) => {
      // Some commands answer by their exit status.
      if (!String(error).includes("--quiet") && !String(error).includes("check-ref")) throw error;
    });
  }
};
const times: Record<string, number[]> = { bare: [], call: [], git: [], tree: [] };
for (let round = -2; round < runs; round++) {
  const row = {
    bare: await timed(script),
    call: await timed(() => ask(proxy, "obey")),
    git: await timed(async () => {
      await gitOf();
      await script();
    }),
    tree: await timed(() => ask(proxy, "tree")),
  };
  if (round >= 0) { for (const [name, time] of Object.entries(row)) times[name]?.push(time); }
}
const middle = (name: string) => median(times[name] ?? []);
const added = median((times.call ?? []).map((time, index) => time - (times.bare?.[index] ?? 0)));
const ratio = median((times.tree ?? []).map((time, index) => time / (times.git?.[index] ?? 0)));
console.info(`Milliseconds, medians of ${runs} runs in turn. ${machine()}\n`);
console.info(markdownTable(["", "bare", "through the gateway", ""], [
  ["a small script", figure(middle("bare")), figure(middle("call")), `+${figure(added)} ms`],
  [
    `in a worktree (${commands.length} git commands)`,
    figure(middle("git")),
    figure(middle("tree")),
    `${figure(ratio)} times`,
  ],
]));

const order: number[] = [];
const whole = await timed(async () => {
  await Promise.all(Array.from({ length: CALLS }, async (_, index) => {
    const answer = await ask(proxy, "second", `call ${index}`);
    if (answer !== `call ${index}`) throw new Error(`Call ${index} got '${answer}'`);
    order.push(index);
  }));
});
// The calls of one round of eight may end in any order.
const late = order.filter((index, place) => Math.abs(index - place) >= 2 * AT_ONCE).length;
console.info(
  `\n${order.length} of ${CALLS} calls answered, each with its own text, ${late} out of turn, in ` +
    `${figure(whole / 1000)} s (${Math.ceil(CALLS / AT_ONCE)} rounds of a second are needed)`,
);
