/** The coding agent pi for `bench/agent.ts`, installed by npm into a cache folder. */

const PACKAGE = "@earendil-works/pi-coding-agent";
const VERSION = "1.6.0";
/** Pi needs a newer Node than most systems have. */
const NODE = "22.23.3";

/** An installed pi. */
export interface Pi {
  /** A name such as `pi 1.6.0 on Node 22.23.3`. */
  readonly name: string;
  /** The program and its first arguments. */
  readonly command: readonly string[];
  /**
   * Lines of code in its own packages: JavaScript as compiled from its source, without the bundle.
   */
  readonly lines: number;
}

/**
 * Installs pi once into the user's cache folder. `undefined` if there is no npm, or no registry.
 */
export async function installPi(): Promise<Pi | undefined> {
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`;
  const folder = `${cache}/llmcmd-bench/pi-${VERSION}-node-${NODE}`;
  const modules = `${folder}/node_modules`;
  const program = `${modules}/${PACKAGE}/dist/bundle/cli.js`;
  if (!await exists(program)) {
    await Deno.mkdir(folder, { recursive: true });
    console.info(`Installing ${PACKAGE} ${VERSION} into ${folder}`);
    const installed = await npm(folder, `node@${NODE}`, `${PACKAGE}@${VERSION}`);
    if (!installed || !await exists(program)) return undefined;
  }
  return {
    name: `pi ${VERSION} on Node ${NODE}`,
    command: [`${modules}/node/bin/node`, program],
    lines: await linesOf(`${modules}/${PACKAGE.split("/")[0]}`),
  };
}

/** Writes pi's settings for the endpoint into a home folder. */
export async function writePiHome(home: string, baseUrl: string): Promise<void> {
  await Deno.mkdir(`${home}/.pi/agent`, { recursive: true });
  const models = [{ id: "mock", name: "mock", contextWindow: 128_000, maxTokens: 4096 }];
  const mock = { baseUrl, api: "openai-completions", apiKey: "bench", models };
  await Deno.writeTextFile(
    `${home}/.pi/agent/models.json`,
    JSON.stringify({ providers: { mock } }),
  );
}

async function npm(folder: string, ...packages: string[]): Promise<boolean> {
  try {
    const { success, stderr } = await new Deno.Command("npm", {
      args: ["install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, ...packages],
      stdout: "null",
    }).output();
    if (!success) console.error(new TextDecoder().decode(stderr));
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

async function linesOf(folder: string): Promise<number> {
  let lines = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (name === "bundle" || name === "node_modules") continue;
    const path = `${folder}/${name}`;
    if (isDirectory) lines += await linesOf(path);
    else if (name.endsWith(".js") && path.includes("/dist/")) {
      lines += codeLines(await Deno.readTextFile(path));
    }
  }
  return lines;
}

/** Counts lines that are neither empty nor only a comment. */
export function codeLines(text: string): number {
  return text.replace(/^\s*\/\*[^]*?\*\/\s*$/gm, "").split("\n")
    .filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length;
}
