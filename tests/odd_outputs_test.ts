/**
 * `-o` with anything but a regular file under its own name, with a file that can only be written in
 * place, and with names that cannot be passed on; through the whole command, as users type it.
 */
import assert from "node:assert/strict";
import { Bench, call, step } from "./_cli.ts";
import { notLinux, optional } from "./_optional.ts";

const OLD = "bob\nada\n";
/** More than a pipe holds, so that a writer notices a closed reader. */
const LARGE = "0123456789abcde\n".repeat(20_000);

const copy = step(call("pipe", { in_fd: 3, out_fd: 1 }));
const exit = (code: number) => step(call("exit", { code }));
const SCENARIOS = [
  { name: "done", trigger: "Copy", steps: [copy, exit(0)] },
  { name: "given up", trigger: "Give up", steps: [copy, exit(3)] },
];

/** Defines `all`, the command with all permissions. */
const ALL = 'all() { llmcmd_with --allow-all -- "$@"; }';

async function openBench(): Promise<Bench> {
  const bench = await Bench.open(SCENARIOS);
  await bench.write("in", OLD);
  await bench.write("large", LARGE);
  return bench;
}

interface Row {
  readonly name: string;
  /**
   * A script for bash, in a folder with the files `in` and `large`, and `link`, which leads to
   * /dev/stdout.
   */
  readonly script: string;
  readonly env?: Record<string, string>;
  readonly code: number;
  readonly stdout?: string;
  readonly stderr?: RegExp;
}

const ROWS: readonly Row[] = [
  {
    name: "/dev/stdout and /dev/fd/2 stand beside what others write there",
    script: `{ echo 1; all -o /dev/stdout Copy in; echo 2; } > one
      { echo 3; all -o /dev/fd/2 Copy in; echo 4; } > two 2>&1
      echo "$(< one) $(< two)"`,
    code: 0,
    stdout: `1\n${OLD}2 3\n${OLD}4\n`,
  },
  {
    name: "a link to /dev/stdout is standard output itself",
    script: '{ echo 1; all -o link Copy in; echo 2; } > one; echo "$(< one)"',
    code: 0,
    stdout: `1\n${OLD}2\n`,
  },
  {
    name: "bash's >(...) is written straight",
    script: `all -o >(while read -r line; do echo "<$line>"; done) Copy in; code=$?; wait $!
      exit $code`,
    code: 0,
    stdout: "<bob>\n<ada>\n",
  },
  {
    name: "bash's >(...) needs no more permissions than that to write it",
    script: `llmcmd_with $FLAGS --allow-write=/dev/fd -- \
        -o >(while read -r line; do echo "<$line>"; done) Copy in; code=$?; wait $!
      exit $code`,
    code: 0,
    stdout: "<bob>\n<ada>\n",
  },
  {
    name: "bash's >(...) without a permission names it",
    script: "llmcmd_with $FLAGS -- -o >(:) Copy in",
    code: 5,
    stderr:
      /^llmcmd: Cannot write \/dev\/fd\/\d+: permission --allow-write=\/dev\/fd\/\d+ is missing/,
  },
  {
    name: "a reader that has gone ends the run quietly, as on standard output",
    script: "all -o >(read -r -n 1) Copy large",
    code: 141,
  },
  {
    name: "what was written straight stays when the model gives up",
    script: `all -o >(while read -r line; do echo "<$line>"; done) "Give up" in; code=$?; wait $!
      exit $code`,
    code: 3,
    stdout: "<bob>\n<ada>\n",
  },
  {
    name: "an inherited descriptor of a pipe is written straight",
    script: "exec 9>&1; all -o /dev/fd/9 Copy in",
    code: 0,
    stdout: OLD,
  },
  {
    name: "an inherited descriptor of a file that is appended to stands beside what others append",
    script: `exec 9>> log; echo 1 >&9; all -o /proc/self/fd/9 Copy in; echo 2 >&9; echo "$(< log)"`,
    code: 0,
    stdout: `1\n${OLD}2\n`,
  },
  {
    name: "an inherited descriptor of another file is refused: others would write over the output",
    script: "exec 9> log; echo 1 >&9; all -o /dev/fd/9 Copy in",
    code: 4,
    stderr: /^llmcmd: Cannot write \/dev\/fd\/9: it is a regular file .*; .* >&9$/m,
  },
  {
    name: "a descriptor that is not open",
    script: "all -o /dev/fd/77 Copy in",
    code: 4,
    stderr: /^llmcmd: Cannot write \/dev\/fd\/77: no such file or folder$/m,
  },
  { name: "/dev/null", script: "all -o /dev/null Copy in", code: 0 },
  {
    name: "/dev/full is a full disk",
    script: "all -o /dev/full Copy in",
    code: 4,
    stderr: /^llmcmd: Cannot write \/dev\/full: no space left on the disk$/m,
  },
  {
    name: "a FIFO, with the permission to write it alone",
    script:
      `mkfifo fifo; { echo "$(< fifo)"; } & llmcmd_with $FLAGS --allow-write=fifo -- -o fifo Copy in
      code=$?; wait $!; [ -p fifo ] && exit $code`,
    code: 0,
    stdout: OLD,
  },
  {
    name: "a FIFO whose reader never reads is waited for no longer than the run may take",
    script: "mkfifo stuck; exec 9<> stuck; all -o stuck Copy large",
    env: { LLMCMD_TIMEOUT: "1" },
    code: 6,
    stderr: /LLMCMD_TIMEOUT/,
  },
  {
    name: "a FIFO that nobody opens, too",
    script: "mkfifo alone; all -o alone Copy large",
    env: { LLMCMD_TIMEOUT: "1" },
    code: 6,
    stderr: /LLMCMD_TIMEOUT/,
  },
  {
    name: "a name that is not UTF-8 makes no file of another name",
    script: String.raw`all -o $'out\xffx' Copy in; code=$?; echo out*; exit $code`,
    code: 4,
    stdout: "out*\n",
    stderr:
      /^llmcmd: Cannot write out\ufffdx: names with bytes that are not UTF-8 .* standard output$/m,
  },
  {
    name: "nor does one of --events",
    script: String.raw`all --events $'out\xffx' Copy in; code=$?; echo out*; exit $code`,
    code: 4,
    stdout: "out*\n",
    stderr: /^llmcmd: Cannot write out\ufffdx: names with bytes/m,
  },
  {
    name: "an input whose name is not UTF-8 says why it is not found",
    script: String.raw`echo x > $'in\xffx'; all Copy $'in\xffx'`,
    code: 4,
    stderr:
      /^llmcmd: Cannot read in\ufffdx: no such file or folder \(names with bytes that are not UTF-8/,
  },
];

Deno.test({
  ...optional("-o of what is no regular file of its own name", notLinux),
  async fn(t) {
    await using bench = await openBench();
    await Deno.symlink("/dev/stdout", `${bench.folder}/link`);
    const FLAGS = [
      "--allow-read=in",
      `--allow-net=${bench.address}`,
      "--allow-env",
    ].join(" ");
    for (const row of ROWS) {
      await t.step(row.name, async () => {
        const env = { FLAGS, ...row.env };
        const { code, stdout, stderr } = await bench.sh(`${ALL}\n${row.script}`, { env });
        assert.equal(code, row.code, stderr);
        assert.equal(stdout, row.stdout ?? "");
        if (row.stderr === undefined) assert.equal(stderr, "");
        else assert.match(stderr, row.stderr);
      });
    }
  },
});

Deno.test("-o of a socket is refused by that name", async () => {
  await using bench = await openBench();
  using listener = Deno.listen({ transport: "unix", path: `${bench.folder}/socket` });
  assert.ok(listener.addr.transport === "unix");
  const { code, stderr } = await bench.sh("llmcmd -o socket Copy in");
  assert.equal(code, 4);
  assert.match(stderr, /^llmcmd: Cannot write socket: it is a socket; pipe into a program that/);
});

/** Drops root's right to write everywhere. */
const isRoot = Deno.build.os !== "windows" && Deno.uid() === 0;
const HUMBLE = isRoot
  ? "setpriv --inh-caps=-all --bounding-set=-dac_override,-dac_read_search "
  : "";

Deno.test({
  ...optional("-o of a file in a read-only folder", notLinux, isRoot ? "setpriv" : undefined),
  async fn() {
    await using bench = await openBench();
    await Deno.mkdir(`${bench.folder}/locked`);
    await bench.write("locked/a", "some older lines\n");
    await bench.write("locked/b", OLD);
    await Deno.chmod(`${bench.folder}/locked`, 0o555);
    const all = `${HUMBLE}llmcmd_with --allow-all --`;
    const warning = (name: string) =>
      `llmcmd: warning: locked/${name} can only be written in place, at the end (no file can be ` +
      "made in locked: permission denied): a crash at that moment can lose its present content\n";
    try {
      const done = await bench.sh(`${all} -o locked/a Copy in`);
      assert.deepEqual([done.code, done.stderr], [0, warning("a")]);
      assert.equal(await bench.read("locked/a"), OLD);

      const failed = await bench.sh(`${all} -o locked/b "Give up" large`);
      assert.equal(failed.code, 3, failed.stderr);
      assert.equal(await bench.read("locked/b"), OLD);
      const [partial = "", ...others] = [...Deno.readDirSync(`${bench.temporary}`)]
        .map(({ name }) => name);
      assert.deepEqual(others, []);
      assert.match(partial, /^llmcmd-.*-b\.partial$/);
      assert.equal(
        failed.stderr,
        `${warning("b")}llmcmd: the partial output is in ${bench.temporary}/${partial}\n`,
      );
      assert.equal(await Deno.readTextFile(`${bench.temporary}/${partial}`), LARGE);

      const fresh = await bench.sh(`${all} -o locked/new Copy in`);
      assert.equal(fresh.code, 4);
      assert.match(
        fresh.stderr,
        /Cannot make a temporary file for locked\/new in locked: permission/,
      );
    } finally {
      await Deno.chmod(`${bench.folder}/locked`, 0o755);
    }
  },
});

Deno.test("-o with --allow-write alone warns that a crash can lose what the file holds", async () => {
  await using bench = await openBench();
  await bench.write("a", "older\n");
  const flags = `--allow-read=in --allow-write=a --allow-net=${bench.address} --allow-env`;
  const { code, stderr } = await bench.sh(`llmcmd_with ${flags} -- -o a Copy in`);
  assert.equal(code, 0, stderr);
  assert.match(
    stderr,
    /^llmcmd: warning: a can only be written in place, at the end \(permission --allow-read=\. is missing\)/,
  );
  assert.equal(await bench.read("a"), OLD);
  assert.deepEqual(bench.names(), ["a", "in", "large"]);
});
