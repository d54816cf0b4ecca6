/**
 * The message for a value that a schema refuses, on one line that begins with the place in the
 * file: `steps[1].name: Expected ...`.
 */
export function describeIssues(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): { path: string; message: string } {
  const [first] = issues;
  if (first === undefined) return { path: "", message: "Invalid value" };
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  return {
    path: formatPath(first.path),
    message: first.message.replace(/^Invalid input: e/, "E") + more,
  };
}

/** Writes a path as JavaScript does: `scenarios[0].steps[1].response`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path.map((key, index) => {
    if (typeof key === "number") return `[${key}]`;
    const name = String(key);
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `[${JSON.stringify(name)}]`;
    return index === 0 ? name : `.${name}`;
  }).join("");
}
