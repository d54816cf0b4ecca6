import assert from "node:assert/strict";
import { Escapes, QuestionFilter, TerminalModes } from "./escapes.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const shown = (parts: Uint8Array[]) => parts.map((part) => new TextDecoder().decode(part)).join("");

Deno.test("QuestionFilter takes out what a terminal answers, also in pieces, and nothing else", () => {
  const questions = ["[c", "[>c", "[6n", "[?6n", "[?2026$p", "[>q", "[?u", "[18t", "Z"]
    .concat(["]11;?\x07", "]52;c;?\x1b\\", "P$qm\x1b\\", "P+q544e\x1b\\"]);
  const others = ["[31m", "[?25l", "[2J", "]0;title\x07", "]52;c;aGk=\x07", "(B", "7", "[8;24;80t"];
  const text = [...questions, ...others].map((it) => `a\x1b${it}\u00e9`).join("");
  const kept = "a\u00e9".repeat(questions.length) + others.map((it) => `a\x1b${it}\u00e9`).join("");
  assert.equal(shown(new QuestionFilter().filter(bytes(text))), kept);
  const filter = new QuestionFilter();
  const single = [...bytes(text)].flatMap((byte) => filter.filter(Uint8Array.of(byte)));
  assert.deepEqual(Uint8Array.from(single.flatMap((part) => [...part])), bytes(kept));
});

Deno.test("Escapes lets long strings pass, and holds back no more than a sequence's beginning", () => {
  const long = bytes(`\x1bP${"x".repeat(5000)}`);
  const pieces = new Escapes().split(long);
  assert.deepEqual(pieces.map((piece) => piece.bytes.length), [5002]);
  const escapes = new Escapes();
  assert.equal(shown(escapes.split(bytes("ab\x1b[3")).map((it) => it.bytes)), "ab");
  assert.deepEqual(escapes.split(bytes("1mc")).map((it) => it.sequence), ["\x1b[31m", undefined]);
});

Deno.test("TerminalModes puts back what a program has changed and left so", () => {
  const modes = new TerminalModes();
  const end = "\x1b(B\x0f\x1b[0m";
  assert.equal(modes.restore(), `\x18${end}`);
  modes.note(bytes("\x1b[?2004h\x1b[?1000;1006h\x1b[?25l\x1b[?1049h\x1b[?2004l\x1b[?7h\x1b[>4;2"));
  modes.note(bytes("m\x1b[2;5r\x1b="));
  assert.equal(
    modes.restore(),
    `\x18\x1b[?1049l\x1b[?1000l\x1b[?1006l\x1b[?25h\x1b[>4m\x1b7\x1b[r\x1b8\x1b>${end}`,
  );
});
