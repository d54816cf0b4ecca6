/**
 * Converts a regular expression from Emacs syntax, which GNU's tac uses, to an extended one. In
 * Emacs syntax `+` and `?` are operators, groups and alternatives have a backslash, and there are
 * no intervals. `^` and `$` are anchors only at the ends of an alternative.
 */
export function emacsToExtended(pattern: string): string {
  let result = "";
  /** True at the start of an alternative. */
  let atStart = true;
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern.charAt(i);
    const next = pattern.charAt(i + 1);
    const start: boolean = atStart;
    atStart = false;
    if (character === "\\") {
      i++;
      if (next === "(" || next === "|" || next === ")") {
        result += next;
        atStart = next !== ")";
      } else if (next === "{" || next === "}") result += `\\${next}`;
      else result += `\\${next}`;
    } else if (character === "[") {
      const [set = "["] =
        /^\[\^?\]?(?:\[:[a-z]+:\]|\[=.=\]|\[\..\.\]|[^\]])*\]?/.exec(pattern.slice(i)) ??
          [];
      result += set;
      i += set.length - 1;
    } else if ("(){}|".includes(character)) {
      result += `\\${character}`;
    } else if (character === "^") {
      result += start ? "^" : "\\^";
      atStart = start;
    } else if (character === "$") {
      const end = i + 1 === pattern.length || /^\\[|)]/.test(pattern.slice(i + 1));
      result += end ? "$" : "\\$";
    } else if (start && "*+?".includes(character)) {
      result += `\\${character}`;
    } else {
      result += character;
    }
  }
  return result;
}
