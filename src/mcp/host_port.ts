import type { CommandSandbox, ShellFacts } from "../ports/mod.ts";

/** The machine that commands run on: a port, as this room does not speak to the host. */
export interface HostPort {
  /** Whether it is a POSIX system, which all tools but CliGetPlatform need. */
  readonly posix: boolean;
  /** What confines commands. */
  readonly sandbox: CommandSandbox;
  /** The folder of commands that name none, absolute. */
  readonly workingDirectory: string;
  /** The folders that working directories must be in; `undefined`: all may be used. */
  readonly allowedDirectories: readonly string[] | undefined;
  /** Detects the shell. Rejects where there is none. */
  platform(): Promise<ShellFacts>;
  /**
   * The absolute path of a folder, which may be relative to the working directory. Rejects where it
   * is missing, is no folder or is not allowed.
   */
  folder(path: string): Promise<string>;
  /** Names of the programs in the folders of a `PATH`; empty where the system does not tell. */
  programs(path: string): Promise<readonly string[]>;
  /** The variables that commands get. */
  environment(): Readonly<Record<string, string>>;
  /** Whether a variable is kept from commands as it looks like a secret. */
  withholds(name: string): boolean;
  /** Whether a variable looks like a secret, by its name or its value. */
  looksSecret(name: string, value: string): boolean;
  /**
   * Compiles a regular expression for text that a program may choose, so in time linear in the text.
   * Throws a `SyntaxError` for what is none.
   */
  pattern(source: string): (text: string) => boolean;
}
