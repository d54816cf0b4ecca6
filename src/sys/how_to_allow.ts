/** What is known of how this program was started. */
export interface StartedAs {
  /** Whether it is an executable made by `deno compile`. */
  readonly standalone: boolean;
  /** The address of its first module. */
  readonly mainModule: string;
}

/**
 * How to give this program a permission that is missing, in the words of how it was started. An
 * installed program can't be told from one of `deno run`: installing writes that command line into
 * a file.
 */
export function howToAllow(
  { standalone, mainModule }: StartedAs = {
    standalone: Deno.build.standalone,
    mainModule: Deno.mainModule,
  },
): string {
  if (standalone) return "this executable was compiled without it: compile it again with the flag";
  if (mainModule.endsWith("/tools/llmcmd_task.ts")) {
    return "the task in deno.json has a fixed set of permissions: run cli.ts with deno run and the flag";
  }
  return "add it to the flags of deno run; if this was installed, install it again with the flag";
}
