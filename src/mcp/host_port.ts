import type { CommandSandbox, ShellFacts } from "../ports/mod.ts";

/** The machine that commands run on. A port, because this room does not access the host. */
export interface HostPort {
  /** True on a POSIX system, which all tools but CliGetPlatform need. */
  readonly posix: boolean;
  /** The sandbox of commands. */
  readonly sandbox: CommandSandbox;
  /** Default working directory of commands, absolute. */
  readonly workingDirectory: string;
  /** The folders that working directories must be in; `undefined`: all may be used. */
  readonly allowedDirectories: readonly string[] | undefined;
  /** Detects the shell. Rejects if there is none. */
  platform(): Promise<ShellFacts>;
  /**
   * Makes a folder's path absolute; it may be relative to the working directory. Rejects if it is
   * missing, not a folder or not allowed.
   */
  folder(path: string): Promise<string>;
  /** Names of the programs in the folders of a `PATH`; empty if they cannot be listed. */
  programs(path: string): Promise<readonly string[]>;
  /** The variables that commands get. */
  environment(): Readonly<Record<string, string>>;
  /** True if a variable is withheld from commands because it looks like a secret. */
  withholds(name: string): boolean;
  /** True if a variable looks like a secret, by its name or its value. */
  looksSecret(name: string, value: string): boolean;
  /**
   * Compiles a regular expression that matches in time linear in the text, because programs choose
   * that text. Throws a `SyntaxError` if it is invalid.
   */
  pattern(source: string): (text: string) => boolean;
}
