/**
 * GNU grep's answers to Perl's patterns, and ours.
 *
 * @module
 */

import { latin1 } from "../_testing.ts";
import { nextSymbol, type PerlOptions, type Regex } from "../mod.ts";

/** What `grep -oP` prints. */
export function onlyMatching(regex: Regex, line: Uint8Array): string {
  let out = "";
  for (let at = 0; at <= line.length;) {
    const match = regex.exec(line, 0, line.length, at);
    if (match === null) break;
    const [from, to] = [match[0] as number, match[1] as number];
    if (to > from) out += `${latin1(line.subarray(from, to))}\n`;
    at = to > from ? to : to < line.length ? nextSymbol(line, to, line.length) : to + 1;
  }
  return out;
}

/** What `grep -oP` prints, errors too. */
export async function grepAnswers(
  cases: readonly { pattern: string; options: PerlOptions; lines: readonly Uint8Array[] }[],
): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  try {
    let script = "export LC_ALL=C.UTF-8\n";
    for (const [i, { pattern, options, lines }] of cases.entries()) {
      const bytes: number[] = [];
      for (const line of lines) bytes.push(...line, 10);
      await Deno.writeFile(`${folder}/${i}`, Uint8Array.from(bytes));
      const flags = (options.ignoreCase === true ? "i" : "") +
        (options.whole === "line" ? "x" : options.whole === "word" ? "w" : "");
      const quoted = `'${pattern.replaceAll("'", "'\\''")}'`;
      script += `grep -aoP${flags} -e ${quoted} <${folder}/${i} 2>&1; printf '\\002'\n`;
    }
    await Deno.writeTextFile(`${folder}/script`, script);
    const { stdout } = await new Deno.Command("sh", { args: [`${folder}/script`] }).output();
    return latin1(stdout).split("\x02").slice(0, cases.length);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
