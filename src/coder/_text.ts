/** A number of bytes for people: `512 bytes`, `1.5 MiB`. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const [value, unit] = bytes < 1024 ** 2
    ? [bytes / 1024, "KiB"]
    : bytes < 1024 ** 3
    ? [bytes / 1024 ** 2, "MiB"]
    : [bytes / 1024 ** 3, "GiB"];
  return `${value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`;
}

/** That a file is no text which the file tools know. */
export function binary(path: string, bytes: number, way: string): TypeError {
  return new TypeError(
    `${path} is binary, not text in UTF-8, windows-1252 or UTF-16 with a byte order mark ` +
      `(${size(bytes)}): ${way}`,
  );
}

/** That a change was made to one of several names of a file; nothing if it has only one. */
export function linkNotes(links: number | undefined): string[] {
  if (links === undefined || links < 2) return [];
  return [
    `The file had ${links} names (hard links): only this one has the new contents; ` +
    "for the others use bash: cat THIS > OTHER",
  ];
}
