/** Tests the whole command against the endpoints in `_odd_endpoints.ts`. */
import assert from "node:assert/strict";
import { ODD_CASES } from "./_odd_endpoints.ts";
import type { OddCase } from "./_odd_replies.ts";
import { optional, thorough } from "./_optional.ts";
import { OddServer } from "./_odd_server.ts";
import { type Run, runAll, type RunOutcome } from "./_runs.ts";

/** Not text, so that decoding and encoding it would change it. */
const OLD = Uint8Array.of(0xff, 0, 0x6f, 0x6c, 0x64, 0x0a, 0xc3);
const KEY = "sk-odd-secret";
/** Each endpoint is used twice: for a file, and for standard output. */
const TO = ["file", "stdout"] as const;

function handlerOf(path: string) {
  const number = Number(path.split("/")[1]);
  return ODD_CASES[number] ?? assert.fail(`No case ${path}`);
}

const NAME = "llmcmd understands endpoints as they are, or fails and keeps the old file";

Deno.test(optional(NAME, thorough), async (t) => {
  assert.ok(ODD_CASES.length >= 60);
  const folder = await Deno.makeTempDir({ prefix: "llmcmd-odd-" });
  await using server = new OddServer((path, index, request) => {
    const { replies } = handlerOf(path);
    const reply = replies[Math.min(index, replies.length - 1)] ?? assert.fail(path);
    return typeof reply === "function" ? reply(request) : reply;
  });
  try {
    const runs = ODD_CASES.flatMap((odd, number) =>
      TO.map((to): Run => ({
        args: to === "file" ? ["-o", `out${number}`, "Do it"] : ["Do it"],
        env: {
          OPENAI_API_KEY: KEY,
          OPENAI_BASE_URL: `http://${server.address}/${number}/${to}`,
          ...odd.env,
        },
      }))
    );
    for (const number of ODD_CASES.keys()) await Deno.writeFile(`${folder}/out${number}`, OLD);
    const outcomes = await runAll(folder, runs);
    for (const [number, odd] of ODD_CASES.entries()) {
      await t.step(odd.name, async () => {
        for (const [index, to] of TO.entries()) {
          const outcome = outcomes[TO.length * number + index] ?? assert.fail();
          const requests = server.requests(`/${number}/${to}/chat/completions`);
          const where = `${to}: ${JSON.stringify(outcome)}`;
          checkOutcome(odd, outcome, where);
          assert.equal(requests.length, odd.requests ?? odd.replies.length, where);
          odd.check?.(requests);
          assert.equal(outcome.stdout, to === "file" ? "" : odd.out ?? odd.partial ?? "", where);
        }
        await checkFiles(odd, `${folder}/out${number}`);
      });
    }
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name);
    assert.deepEqual(left.filter((name) => !/^(out\d+(\.partial)?|runs\.json)$/.test(name)), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

function checkOutcome(odd: OddCase, { code, stderr }: RunOutcome, where: string): void {
  assert.equal(code, odd.code ?? (odd.out === undefined ? 3 : 0), where);
  if (odd.stderr === undefined) assert.equal(stderr, "", where);
  else assert.match(stderr, odd.stderr, where);
  // The path of the partial output may be on its own line.
  const lines = odd.partial === undefined ? 1 : 2;
  assert.ok(stderr.split("\n").length <= lines + 1, `too many lines: ${where}`);
  assert.equal(stderr.includes(KEY), false, where);
  // An HTML page is named, not printed.
  assert.equal(/<|no no/.test(stderr), false, where);
}

/** Checks that the file is completely the new one, or byte for byte the old one. */
async function checkFiles(odd: OddCase, file: string): Promise<void> {
  const bytes = await Deno.readFile(file);
  if (odd.out === undefined) assert.deepEqual(bytes, OLD);
  else assert.equal(new TextDecoder().decode(bytes), odd.out);
  const partial = await Deno.readTextFile(`${file}.partial`).catch(() => undefined);
  assert.equal(partial, odd.partial);
}
