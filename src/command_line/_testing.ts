import {
  choice,
  commandPage,
  flag,
  list,
  notEmpty,
  type SubcommandPage,
  UsageError,
  value,
} from "./mod.ts";

function digits(text: string, as: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`${as} is '${text}'`);
  return Number(text);
}

/** A command with every kind of option. */
export const DEMO = commandPage({
  name: "demo",
  usage: "[OPTION]... [FILE]...",
  summary: "Do what is to be done.",
  operands: "file",
  options: [
    value("count", { short: "n", argument: "NUM", help: "how many (3)", read: digits, usual: 3 }),
    value("output", {
      short: "o",
      argument: "FILE",
      help: "where",
      complete: "file",
      read: notEmpty,
    }),
    value("name", { argument: "NAME", help: "it's [one]", read: notEmpty, once: "join them" }),
    choice("kind", { argument: "KIND", help: "which", words: ["a", "b", "c"], usual: "a" }),
    list("input", { short: "i", argument: "FILE", help: "from where", complete: "file" }),
    flag("quiet", { short: "q", help: "say nothing" }),
    flag("help", { short: "h", help: "print this help", ends: true }),
  ],
  sections: [
    { title: "Notes", text: ["Only in the manual."], lines: ["demo \\", "  x"], manual: true },
    { title: "Environment", terms: [["DEMO_COUNT", "as --count"]] },
  ],
  examples: [{ about: "Do it", line: "demo -n 5 'a file'" }],
});

/** A subcommand of it, without operands. */
export const WATCH = commandPage({
  name: "demo watch",
  usage: "[OPTION]...",
  summary: "Watch it being done.",
  options: [list("dir", { argument: "FOLDER", help: "look there", complete: "file" })],
  insteadOfOperands: "give folders with --dir",
  sections: [{ title: "Exit status", text: ["The last one's."], terms: [["9", ".hidden"]] }],
  examples: [{ about: "Look", line: "demo watch --dir=." }],
});

/** The subcommand as the command's help lists it. */
export const SUBCOMMAND: SubcommandPage = { word: "watch", about: "look on", page: WATCH };
