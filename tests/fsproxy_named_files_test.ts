import assert from "node:assert/strict";
import { Bench } from "./_cli.ts";
import { optional } from "./_optional.ts";

/** Calls `use` with a folder that has `in.txt` and the client in Python. */
async function bench(use: (bench: Bench) => Promise<void>): Promise<void> {
  await using bench = await Bench.open([]);
  const client = new URL("../examples/fsproxy_client.py", import.meta.url);
  await bench.write("fsproxy_client.py", await Deno.readTextFile(client));
  await bench.write("in.txt", "hello\n");
  await use(bench);
}

const PROGRAM = `
import fsproxy_client as f, sys
c = f.connect()
c.request("hello", extensions=["list", "remove", "rename"])
def ask(op, **params):
    try: return c.request(op, **params)
    except f.ProxyError as error: return str(error)
`;

Deno.test("llmcmd fsproxy refuses files that would take each other's place", () =>
  bench(async (bench) => {
    const refused = async (options: string, why: string) => {
      const { code, stderr } = await bench.sh(
        `llmcmd_with -A -- fsproxy ${options} -- touch started`,
      );
      assert.ok(stderr.includes(`llmcmd fsproxy: ${why}\n`), stderr);
      assert.equal(code, 2);
      await assert.rejects(Deno.stat(`${bench.folder}/started`), Deno.errors.NotFound);
      assert.equal(await Deno.readTextFile(`${bench.folder}/in.txt`), "hello\n");
    };
    await Deno.symlink(".", `${bench.folder}/here`);
    const journal = (path: string) =>
      `COMMAND may write the journal ${path}, as . is allowed: ` +
      "write the journal elsewhere";
    await refused("--allow rw:. --journal new.log", journal("new.log"));
    await refused("--allow w:. --journal here/in.txt", journal("here/in.txt"));
    await refused(
      "-i in.txt --journal here/in.txt",
      `COMMAND may read the journal here/in.txt, as in.txt is allowed: ` +
        "write the journal elsewhere",
    );
    await refused("-o out --journal here/out", "here/out is the journal and the output");
    await refused(
      "-o a --output=b",
      "-o is given twice, for a and b: give one, and --allow w:FILE for others",
    );
    await refused(
      "-i in.txt -o here/in.txt",
      "in.txt is the input and the output, which begins empty: give -o another name",
    );
    for (const wrong of ["wr:in.txt", "R:in.txt", "x:in.txt", "r:w:in.txt"]) {
      const path = wrong.replace(/^r:/, "");
      await refused(
        `--allow ${wrong}`,
        `'${wrong}': give r:, w: or rw: and a path, such as rw:./${path}`,
      );
    }
  }));

Deno.test("llmcmd fsproxy takes a journal that no program can rewrite", () =>
  bench(async (bench) => {
    // It can only be read, or is behind a layer.
    const fine = "--allow r:. --journal j --overlay=l --allow rw:sub --allow ./wr:x";
    const { code, stderr } = await bench.sh(`llmcmd_with -A -- fsproxy ${fine} -- sh -c :`);
    assert.equal(code, 0, stderr);
  }));

Deno.test({
  ...optional("llmcmd fsproxy says that the reader of its journal has gone", "python3"),
  fn: () =>
    bench(async (bench) => {
      const ask =
        "for i in range(500): ask('open', path='in.txt', mode='r'); ask('close', h=i + 3)";
      await bench.write("tool.py", `${PROGRAM}\n${ask}\nprint("done")\n`);
      const script = `
mkfifo j
head -c 300 < j > first &
llmcmd_with -A -- fsproxy --journal j -i in.txt -- python3 tool.py
`;
      const { code, stdout, stderr } = await bench.sh(script);
      assert.equal(stdout, "done\n", stderr);
      assert.match(
        stderr,
        /llmcmd fsproxy: Cannot write the journal j: its reader has gone, so it is not complete\n$/,
      );
      assert.equal(code, 4);
      assert.equal((await bench.read("first")).length, 300);
    }),
});

Deno.test("llmcmd fsproxy shows a program in a sandbox no settings of llmcmd", () =>
  bench(async (bench) => {
    await Deno.mkdir(`${bench.folder}/home/.config/llmcmd`, { recursive: true });
    await Deno.mkdir(`${bench.folder}/home/sub`);
    await Deno.symlink("home", `${bench.folder}/here`);
    const env = { HOME: `${bench.folder}/home`, XDG_CONFIG_HOME: undefined };
    const run = async (show: string) =>
      await bench.sh(
        `llmcmd_with -A -- fsproxy --sandbox bwrap --show ${show} --allow rw:home -- cat ${show}`,
        { env },
      );
    for (const file of [".config/llmcmd/config", ".llmcmdrc"]) {
      await bench.write(`home/${file}`, "OPENAI_API_KEY=sk-mine\n");
      for (const show of ["home", "here", `home/${file}`]) {
        const { code, stdout, stderr } = await run(show);
        assert.equal(stdout, "");
        const path = `${bench.folder}/${show}`;
        const own = `${bench.folder}/home/${file}`;
        assert.ok(
          stderr.includes(
            `--show ${path} would show ${own}, which is llmcmd's own: show less of it\n`,
          ),
          stderr,
        );
        assert.equal(code, 2);
      }
      await Deno.remove(`${bench.folder}/home/${file}`);
    }
    assert.doesNotMatch((await run("home/sub")).stderr, /would show/);
  }));

Deno.test("llmcmd fsproxy names an input and a program that are not there", () =>
  bench(async (bench) => {
    const missing = await bench.sh("llmcmd_with -A -- fsproxy -i in.txtt -i in.txt -- ./in.txt");
    assert.ok(
      missing.stderr.includes(`warning: in.txtt may be read, but does not exist\n`),
      missing.stderr,
    );
    assert.equal(missing.stderr.match(/warning/g)?.length, 1);
    assert.ok(
      missing.stderr.includes(
        "Cannot start ./in.txt: there is no such file, or it is not executable\n",
      ),
      missing.stderr,
    );
    assert.equal(missing.code, 127);
  }));

Deno.test({
  ...optional("llmcmd fsproxy keeps programs from keys and from layers", "python3"),
  fn: () =>
    bench(async (bench) => {
      await bench.write(".llmcmdrc", "OPENAI_API_KEY=sk-mine\n");
      await Deno.mkdir(`${bench.folder}/state/llmcmd/overlays/kept`, { recursive: true });
      await bench.write("state/llmcmd/overlays/kept/layer.json", "{}");
      await bench.write(
        "tool.py",
        PROGRAM + `
for path in (".llmcmdrc", "state/llmcmd/overlays/kept/layer.json"):
    for mode in ("r", "w"): print(ask("open", path=path, mode=mode)[:6])
print(ask("rename", **{"from": "state", "to": "moved"})[:6])
print(ask("remove", path="state", recursive=True)[:6])
print(ask("open", path="in.txt", mode="rw"))
`,
      );
      await bench.write(
        "other.py",
        PROGRAM + `
for path in (".llmcmdrc", ".local/state/llmcmd/overlays/kept/layer.json"):
    print(ask("open", path=path, mode="w")[:6])
print(ask("open", path="in.txt", mode="rw"))
`,
      );
      const env = { XDG_STATE_HOME: `${bench.folder}/state` };
      const line = "llmcmd_with -A -- fsproxy --allow rw:. -- python3 tool.py";
      const { stdout, stderr } = await bench.sh(line, { env });
      assert.equal(stdout, `${"E_PERM\n".repeat(6)}{'handle': 3}\n`, stderr);
      const layer = `${bench.folder}/state/llmcmd/overlays/kept/layer.json`;
      assert.equal(await Deno.readTextFile(layer), "{}");
      // Also if the environment names its folders by relative paths.
      await Deno.mkdir(`${bench.folder}/.local`);
      await Deno.rename(`${bench.folder}/state`, `${bench.folder}/.local/state`);
      for (const overlay of ["", "--overlay=own"]) {
        const { stdout, stderr } = await bench.sh(
          `llmcmd_with -A -- fsproxy ${overlay} --allow rw:. -- python3 other.py`,
          { env: { HOME: ".", XDG_STATE_HOME: undefined } },
        );
        assert.equal(stdout, `${"E_PERM\n".repeat(2)}{'handle': 3}\n`, stderr);
      }
    }),
});

Deno.test({
  ...optional("llmcmd fsproxy says what a file may not be opened for", "python3"),
  fn: () =>
    bench(async (bench) => {
      const program = `print(ask("open", path="in.txt", mode=sys.argv[1]))`;
      await bench.write("tool.py", PROGRAM + program);
      const ask = async (right: string, mode: string) =>
        (await bench.sh(
          `llmcmd_with -A -- fsproxy --allow ${right}:in.txt -- python3 tool.py ${mode}`,
        )).stdout;
      const why = (what: string) => `E_PERM: Cannot open in.txt: it is outside ${what} (none)\n`;
      assert.equal(await ask("r", "a"), why("what may be written"));
      assert.equal(await ask("w", "r"), why("what may be read"));
      assert.equal(await ask("r", "rw"), why("what may be read and written"));
    }),
});
