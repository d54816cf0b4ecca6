import { FileError, isMissing, mayUse, readTextFile } from "../../sys/mod.ts";
import { type ConfigEntry, parseConfig } from "./config_file.ts";

/** A configuration file that was read. */
export interface ConfigFile {
  readonly file: string;
  readonly entries: readonly ConfigEntry[];
}

/**
 * Reads `~/.llmcmdrc` and `$XDG_CONFIG_HOME/llmcmd/config`; the first counts before the second. A
 * missing file is skipped; one that can't be read is a warning. `hidden` are those that
 * `--allow-read` does not cover.
 *
 * @throws {ConfigError} A line is wrong.
 */
export async function readUsualFiles(
  home: string | undefined,
  xdg: string | undefined,
  warn: (message: string) => void,
): Promise<{ files: ConfigFile[]; hidden: string[] }> {
  const names = usualFiles(home, xdg);
  const readable = names.filter((file) => mayUse("read", file));
  const texts = await Promise.all(readable.map((file) => readUsual(file, warn)));
  return {
    files: readable.map((file, at) => ({ file, entries: parseConfig(texts[at] ?? "", file) })),
    hidden: names.filter((file) => !readable.includes(file)),
  };
}

/** The paths of the configuration files, which may not exist. */
export function usualFiles(home: string | undefined, xdg: string | undefined): string[] {
  const files: string[] = [];
  if (home !== undefined) files.push(`${home}/.llmcmdrc`);
  // The XDG Base Directory Specification says that relative paths are to be ignored.
  if (xdg?.startsWith("/")) files.push(`${xdg}/llmcmd/config`);
  else if (home !== undefined) files.push(`${home}/.config/llmcmd/config`);
  return files;
}

async function readUsual(
  file: string,
  warn: (message: string) => void,
): Promise<string | undefined> {
  try {
    return await readTextFile(file);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (!isMissing(error)) warn(`${error.message}; going on with the environment only`);
    return undefined;
  }
}
