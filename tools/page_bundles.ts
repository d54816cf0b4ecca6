/**
 * Bundles the libraries of the chat's page into `src/web/chat/page/`, one file each, so that the page
 * needs no other server and no build. Run by `deno task page`; with `--check`, exits with 1 if a
 * file differs from what its source in `tools/page/` gives. Deno brings the bundler, so all
 * machines with the same Deno get the same bytes.
 */
const ROOT = new URL("../", import.meta.url);

/** The bundles, with the licences that must be distributed with them. */
const BUNDLES = [
  {
    name: "markdown_it.js",
    licences: "markdown-it, linkify-it, mdurl, punycode.js, uc.micro: MIT; entities: BSD-2-Clause",
  },
  {
    name: "highlighter.js",
    licences: "lowlight, devlop: MIT; highlight.js: BSD-3-Clause",
  },
] as const;

/** Builds the text of a bundle. */
async function bundled({ name, licences }: typeof BUNDLES[number]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--platform=browser", "--minify", `tools/page/${name}`],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (!success || text === "") {
    throw new Error(`Cannot bundle ${name}: ${new TextDecoder().decode(stderr)}`);
  }
  const types = name.replace(/js$/, "d.ts");
  return `/* @ts-self-types="./${types}" */\n// Made by \`deno task page\` from tools/page/${name}: do not edit. ` +
    `Licences: ${licences}.\n${text}`;
}

let wrong = 0;
for (const bundle of BUNDLES) {
  const path = new URL(`src/web/chat/page/${bundle.name}`, ROOT);
  const text = await bundled(bundle);
  if (!Deno.args.includes("--check")) await Deno.writeTextFile(path, text);
  else if (await Deno.readTextFile(path) !== text) {
    console.error(
      `src/web/chat/page/${bundle.name} is not what its source gives: run deno task page`,
    );
    wrong++;
  }
}
if (wrong > 0) Deno.exit(1);
