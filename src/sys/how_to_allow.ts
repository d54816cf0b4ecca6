/** The facts that tell how this program was started. */
export interface StartedAs {
  /** True for an executable made by `deno compile`. */
  readonly standalone: boolean;
  /** The address of its first module. */
  readonly mainModule: string;
}

/**
 * Tells the user how to give this program a missing permission, which depends on how it was started.
 * An installed program looks like one of `deno run`, as installing writes that command line into a
 * file.
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
