import assert from "node:assert/strict";

/** Runs a shell line in which `$RUN` starts `code`, with `stdinSource` in scope. */
async function inShell(line: string, code: string): Promise<string> {
  const folder = await Deno.makeTempDir();
  const door = new URL("./mod.ts", import.meta.url).href;
  await Deno.writeTextFile(
    `${folder}/main.ts`,
    `import { stdinSource } from "${door}";
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const stdin = stdinSource();
    ${code}`,
  );
  await Deno.writeTextFile(`${folder}/lines`, "one\ntwo\nthree\n");
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const run =
    `${Deno.execPath()} run --no-prompt --no-check --config=${config} --no-lock ${folder}/main.ts`;
  const { stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", line.replaceAll("$RUN", run)],
    cwd: folder,
  }).output();
  await Deno.remove(folder, { recursive: true });
  return text(stdout) + text(stderr);
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const READ_ALL = `
  let all = "";
  for await (const chunk of stdin) all += text(chunk);
  console.log(JSON.stringify(all), stdin.at?.size);`;

Deno.test("stdinSource reads a pipe as a stream", async () => {
  assert.equal(await inShell("cat lines | $RUN", READ_ALL), `"one\\ntwo\\nthree\\n" undefined\n`);
});

Deno.test("stdinSource has random access to a file, from where the shell left it", async () => {
  assert.equal(await inShell("$RUN < lines", READ_ALL), `"one\\ntwo\\nthree\\n" 14\n`);
  assert.equal(
    await inShell("{ read -r x; $RUN; } < lines", READ_ALL),
    `"two\\nthree\\n" 14\n`,
  );
  const code = `
    const into = new Uint8Array(3);
    for (const offset of [4, 0, 10]) {
      console.log(text(into.subarray(0, await stdin.at.read(offset, into))));
    }
    console.log(stdin.at.size, text((await stdin.next()).value));`;
  assert.equal(
    await inShell("{ read -r x; $RUN; } < lines", code),
    "thr\ntwo\n\n14 two\nthree\n\n",
  );
});

Deno.test("stdinSource goes on in order before and after random access", async () => {
  const code = `
    const into = new Uint8Array(3);
    const size = 1_000_000;
    let sum = 0;
    for await (const chunk of stdin) {
      const at = sum;
      for (const byte of chunk) if (byte !== (sum++ * 7 & 255)) throw new Error("at " + sum);
      if (at === 0) continue;
      await stdin.at.read(5, into);
      console.log(into.join());
      break;
    }
    console.log(stdin.at.size);`;
  const write = `await Deno.writeFile("big", Uint8Array.from({ length: 1e6 }, (_, i) => i * 7));`;
  const line = `${Deno.execPath()} eval '${write}'; $RUN < big`;
  assert.equal(await inShell(line, code), "35,42,49\n1000000\n");
});

Deno.test("stdinSource reads a pending block out before random access", async () => {
  const code = `
    const into = new Uint8Array(4);
    const next = stdin.next();
    console.log(await stdin.at.read(2, into), text(into));
    console.log(text((await next).value), (await stdin.next()).done);`;
  assert.equal(await inShell("$RUN < lines", code), "4 e\ntw\none\ntwo\nthree\n true\n");
});

Deno.test("stdinSource leaves everything to others until it is read", async () => {
  const line = "while read -r x; do echo $x; $RUN; done < lines";
  assert.equal(await inShell(line, "stdin.at.size; await stdin.return();"), "one\ntwo\nthree\n");
});

Deno.test("stdinSource settles a pending read on return, and the process ends by itself", async () => {
  const code = `
    const pending = stdin.next();
    setTimeout(async () => {
      await stdin.return();
      console.log(await pending);
    }, 20);`;
  // The pipe stays open until the process has ended, or for a minute.
  const line = "(for ((i = 0; i < 1200; i++)); do " +
    "[ -e done ] && echo in time >&2 && break; sleep 0.05; done) | { $RUN; echo ended; : >done; }";
  assert.equal(await inShell(line, code), "{ done: true, value: undefined }\nended\nin time\n");
});

Deno.test("stdinSource takes a closed descriptor for an empty one", async () => {
  assert.equal(await inShell("$RUN <&-", READ_ALL), `"" undefined\n`);
});
