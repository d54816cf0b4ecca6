import { nameOnOneLine } from "../../base/mod.ts";
import type { NamedInput } from "../descriptors/mod.ts";
import { NoSuchInputError } from "../pipeline/mod.ts";

/** As many inputs are listed in an error. */
const LISTED = 20;

/**
 * The number in `/dev/fd/N`. Only this one spelling counts, so that no other path can pass for a
 * descriptor.
 */
export function fdInPath(path: string): number | undefined {
  const digits = /^\/dev\/fd\/(0|[1-9][0-9]{0,4})$/.exec(path)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The descriptor of the input that has this name: the whole name first, then the base name. This
 * only compares names; a path of the file system is never looked at.
 *
 * @throws {NoSuchInputError} If no input has the name.
 * @throws {RangeError} If several have it.
 */
export function inputNamed(path: string, inputs: readonly NamedInput[]): number {
  const named = inputs.filter(({ readEnd }) => !readEnd);
  for (const nameOf of [(name: string) => name, baseName]) {
    const found = distinct(named.filter(({ name }) => nameOf(name) === path));
    const [first, second] = found;
    if (first === undefined) continue;
    if (second === undefined) return first.fd;
    throw new RangeError(`${found.length} inputs have this name, use one of: ${list(found)}`);
  }
  const there = inputs.length === 0 ? "there are no inputs" : `there are ${list(inputs)}`;
  throw new NoSuchInputError(`No input has this name, and nothing else can be opened; ${there}`);
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** One of those that share their bytes. */
function distinct(inputs: readonly NamedInput[]): NamedInput[] {
  return inputs.filter(({ source }, index) =>
    source === undefined || inputs.findIndex((other) => other.source === source) === index
  );
}

function list(inputs: readonly NamedInput[]): string {
  const shown = inputs.slice(0, LISTED)
    .map(({ fd, name }) => `/dev/fd/${fd} (${nameOnOneLine(name)})`);
  const more = inputs.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
