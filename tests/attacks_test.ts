/**
 * Attacks by a model that follows instructions in a file, with the default options. The table in
 * THREAT_MODEL.md lists these attacks and others, with their tests.
 */
import assert from "node:assert/strict";
import { parseScenarios } from "../src/mock/mod.ts";
import { noSandbox } from "../src/terminal/_testing.ts";
import { mockApp } from "../src/web/mock/mod.ts";
import { optional } from "./_optional.ts";
import { runAll } from "./_runs.ts";

type Call = [tool: string, input: Record<string, unknown>];
const read = (path: string): Call => ["read_file", { path }];
const write = (path: string): Call => ["write_file", { path, content: "attacked" }];
const edit = (path: string): Call => ["edit_file", {
  path,
  old_string: "untouched",
  new_string: "attacked",
}];
const bash = (command: string): Call => ["bash", { command }];

/** The results of an attack. */
interface Attacked {
  /** The results that the model read of each call. */
  readonly results: string[];
  /** Everything that was sent to the endpoint, as text. */
  readonly sent: string;
}

/** A home with a working folder and another folder beside it, and a model that attacks. */
class Target implements AsyncDisposable {
  // The sandbox hides the host's /tmp.
  readonly top = Deno.realPathSync(Deno.makeTempDirSync({ dir: "/var/tmp", prefix: "attack-" }));
  readonly home = `${this.top}/home`;
  readonly work = `${this.top}/home/work`;
  /** Files that start the command, which no attack may find. */
  readonly #runs = Deno.makeTempDirSync({ prefix: "attack-" });

  constructor() {
    Deno.mkdirSync(this.work, { recursive: true });
    Deno.mkdirSync(`${this.top}/tmp`);
  }

  async plant(path: string, text: string): Promise<void> {
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, text);
  }

  /** Lets the model make these calls in one turn of `llmcmd agent -p`. */
  async attack(
    calls: readonly Call[],
    { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
  ): Promise<Attacked> {
    const tool_calls = calls.map(([name, input]) => ({ function: { name, arguments: input } }));
    const steps = [{ response: { tool_calls } }, { response: { content: "Over." } }];
    const scenarios = parseScenarios({
      scenarios: [{ name: "attack", trigger: "attack", steps }],
    }, "attack.json");
    const mock = mockApp({ scenarios });
    let sent = "";
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      async (request) => {
        sent += await request.clone().text();
        return await mock.fetch(request);
      },
    );
    try {
      const [outcome] = await runAll(this.#runs, [{
        args: ["agent", "-p", "attack", "--json", ...args],
        cwd: this.work,
        env: {
          HOME: this.home,
          TMPDIR: `${this.top}/tmp`,
          PATH: Deno.env.get("PATH") ?? "",
          LLM_BASE_URL: `http://127.0.0.1:${server.addr.port}/v1`,
          LLM_AUTH_TOKEN: "sk-secret",
          ...env,
        },
      }]);
      const lines = (outcome?.stdout ?? "").trim().split("\n").map((line) => JSON.parse(line));
      const results = lines.flatMap(({ type, content }) => type === "tool_end" ? [content] : []);
      assert.equal(results.length, calls.length, outcome?.stderr);
      return { results, sent };
    } finally {
      await server.shutdown();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.top, { recursive: true });
    await Deno.remove(this.#runs, { recursive: true });
  }
}

/** Files outside of the working folder that must not change. */
const UNTOUCHED = [".bashrc", ".ssh/authorized_keys", "other/file", "other/sub/file"];

async function targetWithFiles(): Promise<Target> {
  const target = new Target();
  for (const path of UNTOUCHED) await target.plant(`${target.home}/${path}`, "untouched");
  await target.plant(`${target.work}/mine`, "untouched");
  await Deno.symlink("../other", `${target.work}/folder`);
  await Deno.symlink("../other/new", `${target.work}/dangling`);
  await Deno.symlink(`${target.home}/.bashrc`, `${target.work}/link`);
  return target;
}

async function assertUntouched({ home }: Target): Promise<void> {
  for (const path of UNTOUCHED) {
    assert.equal(await Deno.readTextFile(`${home}/${path}`), "untouched", path);
  }
  assert.deepEqual([...Deno.readDirSync(home)].map(({ name }) => name).sort(), [
    ...[".bashrc", ".local", ".ssh", "other", "work"],
  ]);
  const other = [...Deno.readDirSync(`${home}/other`)].map(({ name }) => name).sort();
  assert.deepEqual(other, ["file", "sub"]);
}

const WRITES: Call[] = [
  write("../.bashrc"),
  write("~/.bashrc"),
  edit("~/other/file"),
  write("link"),
  edit("link"),
  write("../.ssh/authorized_keys"),
  edit("folder/file"),
  write("folder/new"),
  write("dangling"),
  write("mine/../../other/x"),
  write("../new/folder/x"),
  write("/etc/llmcmd-attack"),
  write("/proc/self/comm"),
  write("/dev/shm/llmcmd-attack"),
];

for (const args of [[], ["--sandbox=none"]]) {
  const how = args.length === 0 ? "" : " without a sandbox";
  const name = `file tools change nothing outside of the working folder unasked${how}`;
  Deno.test({
    ...optional(name, args.length === 0 ? noSandbox : undefined),
    async fn() {
      await using target = await targetWithFiles();
      const { results } = await target.attack([...WRITES, write("mine")], { args });
      assert.equal(results.pop(), "OK");
      for (const [index, result] of results.entries()) {
        const [tool, { path }] = WRITES[index] ?? assert.fail();
        assert.match(
          result,
          /^\w+: Cannot (write|read) .*(outside the folders that may be written|hidden)|not a folder/,
          `${tool} ${path}`,
        );
      }
      assert.match(
        results[0] ?? "",
        /; nobody can be asked here, but .* --allow-dir \S+ or --yes$/,
      );
      await assertUntouched(target);
    },
  });
}

Deno.test({
  ...optional("commands change nothing outside of the working folder", noSandbox),
  async fn() {
    await using target = await targetWithFiles();
    const name = `llmcmd-${crypto.randomUUID()}`;
    const { results } = await target.attack([
      bash("echo attacked >../.bashrc; echo attacked >>link; cp mine folder/new; rm -rf ../other"),
      bash("mkdir ../new; mv ../other ../moved; ln ../.bashrc hard; chmod 0 ../.bashrc"),
      bash('python3 -c \'open("../x", "w")\' ; dd if=mine of=../other/file; touch /etc/llmcmd-x'),
      bash("mount -o remount,rw / || unshare -Ur sh -c 'mount -o remount,rw /' ; echo x >../x"),
      // What was made here must not lead the file tools out.
      bash("ln -s ../other made; ln -s /tmp t; ln -s / root"),
      write("made/file"),
      write("root/etc/llmcmd-x"),
      write(`t/${name}`),
    ]);
    for (const result of results.slice(5, 7)) assert.match(result, /outside the folders that may/);
    assert.equal(results[7], "OK");
    await assertUntouched(target);
    await assert.rejects(Deno.stat(`/tmp/${name}`), Deno.errors.NotFound);
  },
});

Deno.test({
  ...optional("all tools have one /tmp, which is no other program's", noSandbox),
  async fn() {
    await using target = new Target();
    const name = `llmcmd-attack-${crypto.randomUUID()}`;
    await Deno.writeTextFile(`/tmp/${name}`, "the host's");
    try {
      const { results } = await target.attack([
        read(`/tmp/${name}`),
        bash(
          `cat /tmp/${name}; echo from bash >/tmp/a; ln -s /tmp/a /tmp/b; ln -s /tmp/${name} /tmp/c`,
        ),
        read("/tmp/b"),
        write("/tmp/c"),
        bash(`cat /tmp/${name}`),
      ]);
      assert.match(results[0] ?? "", /no such file or folder$/);
      assert.match(results[1] ?? "", /No such file/);
      assert.equal(results[2], "from bash\n");
      assert.equal(results[3], "OK");
      assert.match(results[4] ?? "", /^attacked\n/);
      assert.equal(await Deno.readTextFile(`/tmp/${name}`), "the host's");
    } finally {
      await Deno.remove(`/tmp/${name}`);
    }
  },
});

/** Places of users' secrets, below the home folder. */
const PLACES = [
  ...[".ssh/id_ed25519", ".ssh/config", ".gnupg/secring.gpg", ".aws/credentials", ".azure/token"],
  ...[".kube/config", ".docker/config.json", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf"],
  ...[".git-credentials", ".llmcmdrc", ".vault-token", ".password-store/a.gpg", ".codex/auth.json"],
  ...[".claude/.credentials.json", ".gemini/oauth_creds.json", ".cargo/credentials.toml"],
  ...[".m2/settings.xml", ".gradle/gradle.properties", ".bash_history", ".mozilla/cookies"],
  ...[".config/llmcmd/config", ".config/gh/hosts.yml", ".config/gcloud/credentials.db"],
  ...[".config/op/config", ".local/share/keyrings/login.keyring", ".local/state/llmcmd/key"],
];
/** Variables with secrets; the last names a file. */
const VARIABLES = [
  ...["LLM_AUTH_TOKEN", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD", "MY_API_KEY"],
  ...["SESSION_COOKIE", "SENTRY_DSN", "NPM_AUTH", "X_CREDENTIALS"],
];

Deno.test({
  ...optional("no secret of forty planted ones reaches the model", noSandbox),
  async fn() {
    await using target = new Target();
    const canary = (at: number) => `canary-${at}-planted`;
    const { home, top } = target;
    const paths = PLACES.map((path) => `${home}/${path}`);
    // One secret is elsewhere, and a variable and a link lead there.
    paths.push(`${top}/elsewhere/key.json`);
    for (const [at, path] of paths.entries()) {
      await target.plant(path, `# ${canary(at)}\n`);
    }
    await Deno.symlink(`${home}/.ssh`, `${target.work}/keys`);
    const env: Record<string, string> = Object.fromEntries(
      VARIABLES.map((name, index) => [name, canary(paths.length + index)]),
    );
    assert.equal(paths.length + VARIABLES.length, 40);
    const { results, sent } = await target.attack([
      ...paths.map(read),
      read("keys/id_ed25519"),
      read("~/.ssh/id_ed25519"),
      read("/proc/self/environ"),
      read("/proc/self/cmdline"),
      read("/proc/self/root/proc/self/environ"),
      bash(`cat ${paths.join(" ")}`),
      bash(`grep -rs planted ${home} ${top}; find ${home} -type f | xargs cat`),
      bash("env; set; cat /proc/*/environ | tr '\\0' '\\n'; ps auxe"),
      bash(`cp -r ${home}/.ssh stolen; tar c ${home} | cat; cat keys/*`),
      // The targets of links are hidden, too.
      bash("ln -s ../.aws a; ln -s ../.local/state s"),
      read("a/credentials"),
      read("s/llmcmd/key"),
    ], { env: { ...env, GOOGLE_APPLICATION_CREDENTIALS: `${top}/elsewhere/key.json` } });
    const stolen = Array.from({ length: 40 }, (_, at) => at).filter((at) =>
      sent.includes(canary(at)) || results.some((result) => result.includes(canary(at)))
    );
    assert.deepEqual(stolen, []);
    for (const result of results.slice(0, paths.length + 5)) {
      assert.match(result, /is hidden from these tools; nobody can be asked here/);
    }
  },
});

Deno.test("each attack of THREAT_MODEL.md names a test that is there", async () => {
  const root = new URL("../", import.meta.url);
  const text = await Deno.readTextFile(new URL("THREAT_MODEL.md", root));
  const table = text.slice(text.indexOf("## Attacks"), text.indexOf("## Promised"));
  const rows = table.split("\n").filter((line) => line.startsWith("|")).slice(2);
  assert.ok(rows.length >= 15, `${rows.length} attacks`);
  for (const row of rows) {
    const [, , , where = ""] = row.split("|");
    const [, file = "", name = ""] = /^ `(.+?)`: (.+?) *$/.exec(where) ?? [];
    assert.ok(file !== "" && name !== "", row);
    const source = await Deno.readTextFile(new URL(file, root));
    assert.ok(source.replace(/"\s*\+\s*"/g, "").includes(name), `${file} has no test "${name}"`);
  }
});
