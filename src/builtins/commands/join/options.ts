import { InvalidArgument, readDecimal, toCount, UINTMAX } from "../../core/mod.ts";
import type { JoinOption } from "./command.ts";
import { type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import { quote, quoteAlways, utf8 } from "../../text/mod.ts";

/** One field of the output: of file 1 or 2, or the join field (0). Fields count from 0. */
export interface OutputField {
  readonly file: 0 | 1 | 2;
  readonly field: number;
}

/** The settings of `join`. In pairs, the first is for file 1. */
export interface JoinSettings {
  readonly files: readonly [string, string];
  /** The join fields, from 0. */
  readonly fields: readonly [number, number];
  readonly unpaired: readonly [boolean, boolean];
  readonly paired: boolean;
  readonly empty: Uint8Array | undefined;
  readonly ignoreCase: boolean;
  readonly output: readonly OutputField[] | undefined;
  readonly auto: boolean;
  /** The byte between fields; -1 for blanks, -2 if a line is one field. */
  readonly tab: number;
  readonly check: "always" | "never" | "unpaired";
  readonly header: boolean;
  readonly separator: number;
}

function fieldNumber(text: string): number {
  return fieldIndex(exactField(text));
}

/** A field's number, from 1; larger numbers than the maximum are the maximum. */
function exactField(text: string): bigint {
  const value = readDecimal(text);
  if (value === undefined || value === 0n) {
    throw new InvalidArgument(`invalid field number: ${quote(text)}`);
  }
  return value > UINTMAX ? UINTMAX : value;
}

function fieldIndex(number: bigint): number {
  return number === UINTMAX ? Infinity : toCount(number) - 1;
}

function outputField(text: string): OutputField {
  const file = text[0];
  if (file === "0") {
    if (text.length > 1) throw new InvalidArgument(`invalid field specifier: ${quote(text)}`);
    return { file: 0, field: 0 };
  }
  if (file !== "1" && file !== "2") {
    throw new InvalidArgument(`invalid file number in field spec: ${quote(text)}`);
  }
  if (text[1] !== ".") throw new InvalidArgument(`invalid field specifier: ${quote(text)}`);
  return { file: file === "1" ? 1 : 2, field: fieldNumber(text.slice(2)) };
}

function fileNumber(text: string): 1 | 2 {
  const value = readDecimal(text);
  if (value !== 1n && value !== 2n) {
    throw new InvalidArgument(`invalid field number: ${quote(text)}`);
  }
  return value === 1n ? 1 : 2;
}

function tabByte(text: string): number {
  const bytes = utf8(text);
  if (bytes.length === 0) return -2;
  if (text === "\\0") return 0;
  if (bytes.length > 1) throw new InvalidArgument(`multi-character tab ${quote(text)}`);
  return bytes[0] === 10 ? -2 : bytes[0] as number;
}

/** The possible meanings of an operand, depending on the argument before it. */
type Role = "operand" | "j1" | "j2" | "o";

/** Reads the command line. `args` distinguishes the obsolete `-j1 FIELD` from `-j FIELD`. */
export function readJoinSettings(
  items: Iterable<ParsedArgument<JoinOption>>,
  args: readonly string[],
): JoinSettings {
  const fields: [bigint | undefined, bigint | undefined] = [undefined, undefined];
  const unpaired: [boolean, boolean] = [false, false];
  const given = new Set<JoinOption>();
  let output: OutputField[] | undefined;
  let auto = false;
  let check: JoinSettings["check"] = "unpaired";
  let tab: number | undefined;
  let empty: string | undefined;
  const setField = (file: 0 | 1, field: bigint): void => {
    const before = fields[file];
    if (before !== undefined && before !== field) {
      throw new InvalidArgument(`incompatible join fields ${before}, ${field}`);
    }
    fields[file] = field;
  };
  const addOutput = (list: string): void => {
    output = [...output ?? [], ...list.split(/[, \t]/).map(outputField)];
  };

  let names: { name: string; role: Role }[] = [];
  const bareJ = [0, 0];
  let before: Role = "operand";
  for (const item of items) {
    let role: Role = "operand";
    if (item.kind === "operand") {
      const mine: Role = item.afterDashes ? "operand" : before;
      if (names.length === 2) {
        // One of the arguments that could be an operand is the argument of an obsolete option.
        const taken = names.findIndex((each) => each.role !== "operand");
        const word = names[taken];
        if (word === undefined) throw new UsageError(`extra operand ${quoteAlways(item.value)}`);
        if (word.role === "o") addOutput(word.name);
        else {
          const file = word.role === "j1" ? 0 : 1;
          bareJ[file] = (bareJ[file] ?? 0) - 1;
          setField(file, exactField(word.name));
        }
        names = names.filter((_, i) => i !== taken);
      }
      names.push({ name: item.value, role: mine });
      if (mine === "o") role = "o";
    } else {
      const { name, value } = item;
      given.add(name);
      if (name === "a" || name === "v") unpaired[fileNumber(value) - 1] = true;
      else if (name === "e") {
        if (empty !== undefined && empty !== value) {
          throw new InvalidArgument("conflicting empty-field replacement strings");
        }
        empty = value;
      } else if (name === "1") setField(0, exactField(value));
      else if (name === "2") setField(1, exactField(value));
      else if (name === "j") {
        if ((value === "1" || value === "2") && args[item.index] === `-j${value}`) {
          role = value === "1" ? "j1" : "j2";
          const file = value === "1" ? 0 : 1;
          bareJ[file] = (bareJ[file] ?? 0) + 1;
        } else {
          setField(0, exactField(value));
          setField(1, exactField(value));
        }
      } else if (name === "o") {
        if (value === "auto") auto = true;
        else {
          addOutput(value);
          role = "o";
        }
      } else if (name === "t") {
        const byte = tabByte(value);
        if (tab !== undefined && tab !== byte) throw new InvalidArgument("incompatible tabs");
        tab = byte;
      } else if (name === "check") check = "always";
      else if (name === "nocheck") check = "never";
    }
    before = role;
  }
  const [first, second] = names;
  if (first === undefined) throw new UsageError("missing operand");
  if (second === undefined) {
    throw new UsageError(`missing operand after ${quote(args.at(-1) ?? "")}`);
  }
  for (const file of [0, 1] as const) {
    if (bareJ[file] === 0) continue;
    setField(0, BigInt(file + 1));
    setField(1, BigInt(file + 1));
  }
  return {
    files: [first.name, second.name],
    fields: [fieldIndex(fields[0] ?? 1n), fieldIndex(fields[1] ?? 1n)],
    unpaired,
    paired: !given.has("v"),
    empty: empty === undefined ? undefined : utf8(empty),
    ignoreCase: given.has("i"),
    output,
    auto,
    tab: tab ?? -1,
    check,
    header: given.has("header"),
    separator: given.has("z") ? 0 : 10,
  };
}
