/** A project that depends on this package by its folder, with an empty cache and no lock file. */
import config from "../deno.json" with { type: "json" };

/** Imports every entry and uses some of their exports. */
const PROGRAM = `
import { grep, runBuiltin } from "@llmcmd/llmcmd";
import { compileRegex } from "@llmcmd/llmcmd/regex";
import { mockClient } from "@llmcmd/llmcmd/testing";
${
  Object.keys(config.exports).map((entry, index) =>
    `import * as entry${index} from "@llmcmd/llmcmd${entry.slice(1)}";\n`
  ).join("")
}
const lines = ReadableStream.from([new TextEncoder().encode("a\\nx\\n")]);
const text = await new Response(lines.pipeThrough(grep(["-v", "x"]))).text();
const client = mockClient([{ name: "hi", trigger: "hello", steps: [{ response: { content: "Hi!" } }] }]);
let answer = "";
const request = { model: "m", messages: [{ role: "user" as const, content: "hello" }] };
for await (const delta of client.stream(request, { signal: AbortSignal.timeout(20_000) })) {
  if (delta.type === "text") answer += delta.content;
}
const entries = [${Object.keys(config.exports).map((_, index) => `entry${index}`).join(", ")}];
console.log(JSON.stringify({
  text,
  answer,
  status: await runBuiltin(["no-such"], {
    stdout: new WritableStream(),
    stderr: new WritableStream(),
  }),
  groups: compileRegex("(a)", { syntax: "extended" }).groups,
  entries: entries.filter((entry) => Object.keys(entry).length > 0).length,
}));
`;

/** Uses only the main entry: the type check must still find the modules that it imports later. */
const SMALL_PROGRAM = `
import { splitWords } from "@llmcmd/llmcmd";
console.log(JSON.stringify(splitWords("wc -l | cat")));
`;

/** The output of a program, and the expected one. */
export interface Consumed {
  readonly name: string;
  readonly printed: unknown;
  readonly expected: unknown;
}

const PROGRAMS = [
  {
    name: "every entry",
    program: PROGRAM,
    expected: {
      text: "a\n",
      answer: "Hi!",
      status: 127,
      groups: 1,
      entries: Object.keys(config.exports).length,
    },
  },
  { name: "the main door alone", program: SMALL_PROGRAM, expected: [["wc", "-l"], ["cat"]] },
];

/**
 * Runs programs that depend on this package, one after another, in a folder without a lock file and
 * with an empty cache. They print JSON.
 *
 * @throws {Error} One does not pass the type check, if that is requested, or fails.
 */
export async function consume({ check }: { check: boolean }): Promise<Consumed[]> {
  const folder = await Deno.makeTempDir({ prefix: "llmcmd-consumer-" });
  const consumed: Consumed[] = [];
  try {
    await Deno.writeTextFile(
      `${folder}/deno.json`,
      JSON.stringify({
        imports: { "@llmcmd/llmcmd": `jsr:${config.name}@^${config.version}` },
        links: [new URL("../", import.meta.url).pathname],
      }),
    );
    for (const { name, program, expected } of PROGRAMS) {
      await Deno.writeTextFile(`${folder}/main.ts`, program);
      const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          ...["run", "--quiet", "--no-prompt", check ? "--check" : "--no-check", "--no-lock"],
          "main.ts",
        ],
        cwd: folder,
        env: { DENO_DIR: `${folder}/cache`, NO_COLOR: "1" },
      }).output();
      const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      if (!success) throw new Error(`The consumer of ${name} fails: ${decode(stderr)}`);
      consumed.push({ name, printed: JSON.parse(decode(stdout)), expected });
    }
    return consumed;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
