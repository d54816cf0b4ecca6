/** True for each standard descriptor that is a terminal. */
export function terminals(): { stdin: boolean; stdout: boolean; stderr: boolean } {
  return {
    stdin: Deno.stdin.isTerminal(),
    stdout: Deno.stdout.isTerminal(),
    stderr: Deno.stderr.isTerminal(),
  };
}

/** Columns of the terminal; 80 if there is none. */
export function columns(): number {
  try {
    return Deno.consoleSize().columns || 80;
  } catch {
    return 80;
  }
}

/** True if NO_COLOR is set; needs no permission. */
export function noColor(): boolean {
  return Deno.noColor;
}
