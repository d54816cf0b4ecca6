/** Facts about the start of this program. */
export interface StartedAs {
  /** True for an executable made by `deno compile`. */
  readonly standalone: boolean;
  /** The URL of its first module. */
  readonly mainModule: string;
}

/**
 * Advice on granting a missing permission, to fit the way this program was started. `deno install`
 * writes the command line of `deno run` into a file, so both look the same and get the same advice.
 */
export function howToAllow(
  { standalone, mainModule }: StartedAs = {
    standalone: Deno.build.standalone,
    mainModule: Deno.mainModule,
  },
): string {
  if (standalone) {
    return "this executable was compiled without it: make one that has it with deno task build --agent";
  }
  if (mainModule.endsWith("/tools/llmcmd_task.ts")) {
    return "the task in deno.json has a fixed set of permissions: run cli.ts with deno run and the flag";
  }
  return "add it to the flags of deno run; if this was installed, install it again with the flag";
}
