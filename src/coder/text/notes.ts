import type { TextFormat } from "./text_format.ts";

/** Notes for a reader of a file that is not plain UTF-8. */
export function readNotes({ encoding, strays, lineEnd }: TextFormat): string[] {
  return [
    ...encoding === "windows-1252"
      ? ["The file is not UTF-8; it is read, edited and written as windows-1252 (Latin-1)"]
      : encoding === "UTF-8"
      ? []
      : [`The file is ${encoding} with a byte order mark, and stays so when it is changed`],
    ...strays > 0
      ? [`${strays} of its bytes are not UTF-8: they show as \ufffd, and edits leave them alone`]
      : [],
    ...lineEnd === "\r" ? ["Its lines end in CR alone; write LF, and edits keep that"] : [],
  ];
}
