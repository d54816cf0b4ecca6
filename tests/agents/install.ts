/** Installs real CLI agents and MCP programs from npm into folders of their own. */

/** The packages of the agents. Node 22, which qwen needs, is one, too. */
const PACKAGES = [
  "@openai/codex@0.171.0",
  "@google/gemini-cli@0.61.0",
  "@qwen-code/qwen-code@0.24.4",
  "@anthropic-ai/claude-code@2.1.197",
  "node@22",
];

/** The commands, by the names of their drivers. */
export const AGENTS = ["codex", "gemini", "qwen", "claude"] as const;

/** The folder that keeps them from one run to the next. */
export const AGENTS_FOLDER: string = Deno.env.get("LLMCMD_AGENTS") ??
  `${Deno.env.get("HOME")}/.cache/llmcmd-agents`;

/** Installs missing agents; resolves to the folder of the commands. Takes a minute and 1.5 GB. */
export function installAgents(folder: string): Promise<string> {
  return install(folder, PACKAGES);
}

/**
 * Installs the MCP inspector and a Node for it; resolves to the folder of the commands. Takes 300
 * MB.
 */
export function installInspector(folder: string): Promise<string> {
  return install(`${folder}/inspector`, ["@modelcontextprotocol/inspector@2.12.0", "node@22"]);
}

/**
 * Installs Desktop Commander; resolves to the folder of the commands. Takes a minute and 260 MB,
 * without the install scripts of its dependencies, which would download a browser.
 */
export function installDesktopCommander(folder: string): Promise<string> {
  const packages = ["@wonderwhy-er/desktop-commander@0.2.52"];
  return install(`${folder}/desktop-commander`, packages, ["--ignore-scripts"]);
}

async function install(folder: string, packages: string[], options: string[] = []) {
  const bin = `${folder}/node_modules/.bin`;
  const wanted = JSON.stringify(packages);
  const mark = `${folder}/installed.json`;
  if (await Deno.readTextFile(mark).catch(() => "") === wanted) return bin;
  console.info(`Installing ${packages.join(", ")} into ${folder}`);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/package.json`, '{"private": true}\n');
  const { success } = await new Deno.Command("npm", {
    args: ["install", "--no-audit", "--no-fund", "--loglevel=error", ...options, ...packages],
    cwd: folder,
  }).output();
  if (!success) throw new Error(`npm could not install ${packages.join(", ")}; see above`);
  await Deno.writeTextFile(mark, wanted);
  return bin;
}
