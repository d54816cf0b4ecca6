/**
 * Lints the documentation of the package's entries in `deno.json`: every public symbol has a doc
 * comment, and every type that a public one refers to is public, too, in this or another entry. Run
 * by `deno task doc`; exits with 1 if something is missing.
 */
import config from "../deno.json" with { type: "json" };

const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["doc", "--lint", "--quiet", ...Object.values(config.exports)],
  cwd: new URL("../", import.meta.url),
}).spawn().status;
Deno.exit(code);
