/** Real CLI agents from npm, in a folder of their own. */

/** What is installed. Node 22, which qwen needs, is a package too. */
const PACKAGES = [
  "@openai/codex@0.171.0",
  "@google/gemini-cli@0.61.0",
  "@qwen-code/qwen-code@0.24.4",
  "@anthropic-ai/claude-code@2.1.197",
  "node@22",
];

/** The commands, by the names of their drivers. */
export const AGENTS = ["codex", "gemini", "qwen", "claude"] as const;

/** Installs what is not there yet; gives the folder of the commands. Takes a minute and 1.5 GB. */
export async function installAgents(folder: string): Promise<string> {
  const bin = `${folder}/node_modules/.bin`;
  const wanted = JSON.stringify(PACKAGES);
  const mark = `${folder}/installed.json`;
  if (await Deno.readTextFile(mark).catch(() => "") === wanted) return bin;
  console.info(`Installing ${PACKAGES.join(", ")} into ${folder}`);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/package.json`, '{"private": true}\n');
  const { success } = await new Deno.Command("npm", {
    args: ["install", "--no-audit", "--no-fund", "--loglevel=error", ...PACKAGES],
    cwd: folder,
  }).output();
  if (!success) throw new Error("npm could not install the agents; see above");
  await Deno.writeTextFile(mark, wanted);
  return bin;
}
