import type { HostPort } from "../../mcp/mod.ts";
import { compilePerl, RegexError, RegexLimitError } from "../../regex/mod.ts";
import { hostFs, processHost } from "../../sys/mod.ts";
import { looksSecret, type Sandbox, type ShellFacts } from "../../terminal/mod.ts";
import type { WorkingFolders } from "./working_folders.ts";

/** Most programs that are looked at for a near name. */
const MOST_PROGRAMS = 20_000;

/** What {@linkcode cliHost} needs. */
export interface CliHostOptions {
  /** The folders that commands may start in. */
  readonly folders: WorkingFolders;
  /** What confines commands. */
  readonly sandbox: Sandbox;
  /** Finds the shell. */
  readonly facts: () => Promise<ShellFacts>;
  /** The variables that commands get. */
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

/** The programs in the folders of a PATH, as far as they may be read. */
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
