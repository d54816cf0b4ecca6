/** What other programs call a key, and models write, and what it is called here. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["esc", "{escape}"],
  ["return", "{enter}"],
  ["cr", "{enter}"],
  ["newline", "{enter}"],
  ["bs", "{backspace}"],
  ["del", "{delete}"],
  ["ins", "{insert}"],
  ["pgup", "{pageup}"],
  ["pgdn", "{pagedown}"],
  ["pgdown", "{pagedown}"],
  ["arrowup", "{up}"],
  ["arrowdown", "{down}"],
  ["arrowleft", "{left}"],
  ["arrowright", "{right}"],
  ["shift+tab", "{escape}[Z"],
  ["backtab", "{escape}[Z"],
  ["space", "a space"],
]);

/** Names that are keys when they are written so. */
const NAMES: ReadonlySet<string> = new Set([
  ...["enter", "tab", "backspace", "escape", "up", "down", "left", "right", "home", "end"],
  ...["pageup", "pagedown", "insert", "delete"],
]);

/** Doubled braces and the expansion of a shell are text, and meant as such. */
const BRACES = /\{\{[^]*?\}\}|\$\{|\{([a-z]+(?:[-+^][a-z])?|\^[a-z]|shift\+tab)\}/gi;

/**
 * Tells of the first word in braces that was sent as text and is likely to be meant as a key, and
 * what to write for that; `undefined` if there is none.
 */
export function keyHint(input: string): string | undefined {
  for (const [whole, name] of input.matchAll(BRACES)) {
    const key = name === undefined ? undefined : keyFor(name);
    if (key !== undefined) return `${whole} was sent as text; as a key it is ${key}`;
  }
  return undefined;
}

function keyFor(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (NAMES.has(lower)) return name === lower ? undefined : `{${lower}}`;
  const letter = /^(?:(?:ctrl|c)-|control[-+]|\^)([a-z])$/.exec(lower)?.[1];
  return letter === undefined ? OTHER_NAMES.get(lower) : `{ctrl+${letter}}`;
}
