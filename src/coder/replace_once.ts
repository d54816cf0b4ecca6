/** Most line numbers that an error names. */
const MOST_LINES = 20;

/**
 * Replaces `oldString`, which must occur exactly once in `text`, by `newString`.
 *
 * In a text whose lines end in CRLF the strings may be written with LF: they are given the text's
 * line ends. In other texts they are used as they are; only if the old string does not occur, it is
 * searched with CRLF.
 *
 * @returns The new text, and the line of the change, from 1.
 * @throws {RangeError} It occurs not at all or several times; the message tells where.
 */
export function replaceOnce(
  path: string,
  text: string,
  oldString: string,
  newString: string,
): { text: string; line: number } {
  if (oldString === "") {
    throw new RangeError("old_string is empty: give the text to replace, or use write_file");
  }
  if (oldString === newString) {
    throw new RangeError("old_string and new_string are the same: there is nothing to change");
  }
  const [old, replacement] = withLineEnds(text, oldString, newString);
  const { count, places } = occurrences(text, old);
  const [place] = places;
  if (place === undefined) {
    throw new RangeError(`old_string does not occur in ${path}: ${hint(text, oldString)}`);
  }
  if (count > 1) {
    const lines = lineNumbers(text, places).join(", ");
    const more = count > MOST_LINES ? ", ..." : "";
    throw new RangeError(
      `old_string occurs ${count} times in ${path} (lines ${lines}${more}): ` +
        "give more of the text around the one you mean",
    );
  }
  const after = text.slice(0, place) + replacement + text.slice(place + old.length);
  return { text: after, line: lineNumbers(text, [place])[0] ?? 1 };
}

function withLineEnds(text: string, oldString: string, newString: string): [string, string] {
  const crlf: [string, string] = [toCrlf(oldString), toCrlf(newString)];
  const onlyCrlf = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  if (onlyCrlf || !text.includes(oldString) && text.includes(crlf[0])) return crlf;
  return [oldString, newString];
}

function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

/**
 * How often and where a string occurs, including overlapping occurrences, as those are ambiguous
 * too.
 */
function occurrences(text: string, part: string): { count: number; places: number[] } {
  const places: number[] = [];
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (++count <= MOST_LINES) places.push(at);
  }
  return { count, places };
}

/** The line numbers, from 1, of ascending offsets in a text. */
function lineNumbers(text: string, places: readonly number[]): number[] {
  let line = 1;
  let from = 0;
  return places.map((place) => {
    for (let at = text.indexOf("\n", from); at >= 0 && at < place; at = text.indexOf("\n", from)) {
      line++;
      from = at + 1;
    }
    return line;
  });
}

/** Advice for a string that does not occur: often only its white space is different. */
function hint(text: string, oldString: string): string {
  const wanted = oldString.trim().split("\n").map((line) => line.trim());
  const lines = text.split("\n").map((line) => line.trim());
  const last = wanted.length - 1;
  const fits = (line: string, want: string, index: number) => {
    if (last === 0) return line.includes(want);
    if (index === 0) return line.endsWith(want);
    return index === last ? line.startsWith(want) : line === want;
  };
  const at = lines.findIndex((_, start) =>
    wanted.every((want, index) => fits(lines[start + index] ?? "", want, index))
  );
  if (at < 0 || wanted[0] === "") return "read the file again and copy the text exactly";
  const where = last === 0 ? `line ${at + 1}` : `lines ${at + 1}-${at + last + 1}`;
  return `${where} differ${last === 0 ? "s" : ""} from it only in white space; ` +
    "read them again and copy them exactly";
}
