import type { HostPort } from "../../mcp/mod.ts";
import { compilePerl, RegexError, RegexLimitError } from "../../regex/mod.ts";
import { hostFs, processHost } from "../../sys/mod.ts";
import { looksSecret, type Sandbox, type ShellFacts } from "../../terminal/mod.ts";
import type { WorkingFolders } from "./working_folders.ts";

/** Most programs that are compared with a misspelt name. */
const MOST_PROGRAMS = 20_000;

/** Options of {@linkcode cliHost}. */
export interface CliHostOptions {
  /** The folders that commands may start in. */
  readonly folders: WorkingFolders;
  /** The sandbox of commands. */
  readonly sandbox: Sandbox;
  /** Finds the shell. */
  readonly facts: () => Promise<ShellFacts>;
  /** The environment variables of commands. */
  readonly environment: () => Readonly<Record<string, string>>;
}

/** This machine, as the CLI tools see it. */
export function cliHost({ folders, sandbox, facts, environment }: CliHostOptions): HostPort {
  return {
    posix: processHost().os !== "windows",
    sandbox: sandbox.kind === "none" ? sandbox : {
      kind: sandbox.kind,
      network: sandbox.network,
      writable: [folders.usual, ...sandbox.writable],
    },
    workingDirectory: folders.usual,
    allowedDirectories: folders.allowed,
    platform: facts,
    folder: (path) => folders.find(path),
    programs: programsOn,
    environment,
    withholds: (name) =>
      Object.hasOwn(processHost().env, name) && !Object.hasOwn(environment(), name),
    looksSecret,
    pattern,
  };
}

/** The programs in the readable folders of a PATH. */
async function programsOn(path: string): Promise<string[]> {
  const names = new Set<string>();
  for (const folder of path.split(":")) {
    if (!folder.startsWith("/")) continue;
    try {
      for await (const { name, kind } of hostFs().list(folder)) {
        if (kind !== "folder") names.add(name);
        if (names.size >= MOST_PROGRAMS) return [...names];
      }
    } catch {
      // A folder that is missing or may not be read has no programs to suggest.
    }
  }
  return [...names];
}

function pattern(source: string): (text: string) => boolean {
  try {
    const regex = compilePerl(source);
    const encoder = new TextEncoder();
    return (text) => {
      const bytes = encoder.encode(text);
      return regex.find(bytes, 0, bytes.length) !== null;
    };
  } catch (error) {
    if (error instanceof RegexError || error instanceof RegexLimitError) {
      throw new SyntaxError(`Cannot wait for /${source}/: ${error.message}`);
    }
    throw error;
  }
}
