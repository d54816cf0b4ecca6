/** Names of keys in other programs, which models use, and what to write here. */
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

/** Names of keys as they must be written, in lower case. */
const NAMES: ReadonlySet<string> = new Set([
  ...["enter", "tab", "backspace", "escape", "up", "down", "left", "right", "home", "end"],
  ...["pageup", "pagedown", "insert", "delete"],
]);

/**
 * Words in braces that may name a key. Doubled braces and a shell's `${` match without a name,
 * because they are meant as text.
 */
const BRACES = /\{\{[^]*?\}\}|\$\{|\{([a-z]+(?:[-+^][a-z])?|\^[a-z]|shift\+tab)\}/gi;

/**
 * Hint about the first word in braces that was sent as text but probably meant as a key, with the
 * text to write instead; `undefined` if there is no such word.
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
