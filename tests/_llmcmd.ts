/** What the tests of the whole command share. */

/** Where the command's source is. */
export const CLI: string = new URL("../cli.ts", import.meta.url).pathname;

/**
 * Arguments of `deno run` for the command with just the permissions that it needs to work in
 * `folder` with the endpoint at `address` (`host:port`), up to and including the program.
 */
export function llmcmdFlags(folder: string, address: string): string[] {
  return [
    "--quiet",
    "--no-prompt",
    `--allow-read=${folder}`,
    `--allow-write=${folder}`,
    `--allow-net=${address}`,
    "--allow-env",
    CLI,
  ];
}
