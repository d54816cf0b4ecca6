/**
 * Runs every check that must pass before a commit: `deno task ok`. The checks run one after another
 * beside the tests, which keeps both cores of a small machine busy. Each prints a line, and its
 * output only if it fails.
 */
import { testWithCoverage } from "./coverage.ts";

interface Check {
  readonly name: string;
  readonly args: readonly string[];
}

/** Short ones first: most mistakes are found in seconds. */
const CHECKS: readonly Check[] = [
  { name: "format", args: ["fmt", "--check"] },
  { name: "lint", args: ["task", "lint"] },
  { name: "documentation lint", args: ["task", "doc"] },
  { name: "page's bundles", args: ["task", "page", "--check"] },
  { name: "types", args: ["task", "check"] },
  { name: "portability", args: ["task", "portability"] },
  // `deno task check` has checked the types; this one looks for slow types and missing files.
  { name: "publish", args: ["publish", "--dry-run", "--allow-dirty", "--quiet", "--no-check"] },
];

/** Runs a check and prints its outcome; resolves to true if it passed. */
async function passes({ name, args }: Check): Promise<boolean> {
  const begin = Date.now();
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    stdin: "null",
  }).output();
  const seconds = Math.round((Date.now() - begin) / 1000);
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const output = code === 0 ? "" : `\n${decode(stdout)}${decode(stderr)}`;
  console.info(
    `${code === 0 ? "  " : "! "}${name}: ${code === 0 ? "ok" : "FAILED"} (${seconds}s)${output}`,
  );
  return code === 0;
}

async function checksPass(): Promise<boolean> {
  const failed: string[] = [];
  for (const check of CHECKS) if (!await passes(check)) failed.push(check.name);
  if (failed.length > 0) console.error(`These checks failed: ${failed.join(", ")}`);
  return failed.length === 0;
}

const [ok, status] = await Promise.all([checksPass(), testWithCoverage(["--all", ...Deno.args])]);
Deno.exit(ok ? status : 1);
