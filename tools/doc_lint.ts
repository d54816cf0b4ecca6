/**
 * Lints the documentation of the package's entries, those of `deno.json` and no others: every public
 * symbol says what it is, and every type that a public one refers to is public too, in this entry or
 * in another. Run by `deno task doc`; exits 1 when something is missing.
 */
import config from "../deno.json" with { type: "json" };

const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["doc", "--lint", "--quiet", ...Object.values(config.exports)],
  cwd: new URL("../", import.meta.url),
}).spawn().status;
Deno.exit(code);
