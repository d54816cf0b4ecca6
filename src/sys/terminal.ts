/** Which of the standard descriptors are terminals. */
export function terminals(): { stdin: boolean; stdout: boolean; stderr: boolean } {
  return {
    stdin: Deno.stdin.isTerminal(),
    stdout: Deno.stdout.isTerminal(),
    stderr: Deno.stderr.isTerminal(),
  };
}

/** Columns of the terminal; 80 where there is none. */
export function columns(): number {
  try {
    return Deno.consoleSize().columns || 80;
  } catch {
    return 80;
  }
}

/** Whether NO_COLOR is set, which Deno tells without a permission. */
export function noColor(): boolean {
  return Deno.noColor;
}
