import assert from "node:assert/strict";
import { type Key, KeyReader } from "./keys.ts";

/** The keys that a terminal sends in chunks. */
function keysOf(...pieces: string[]): Key[] {
  const reader = new KeyReader();
  return pieces.flatMap((piece) => reader.read(new TextEncoder().encode(piece)));
}

/** A short form of keys: commands by name, text in quotes, pasted text in braces. */
function shown(keys: readonly Key[]): string {
  return keys.map((key) =>
    key.type === "command" ? key.command : key.type === "text" ? `"${key.text}"` : `{${key.text}}`
  ).join(" ");
}

Deno.test("KeyReader knows the keys of terminals, with and without modifiers", () => {
  const cases: Record<string, string> = {
    "\x1b[A\x1b[B\x1bOC\x1bOD": "up down right left",
    "\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~":
      "line-start line-end line-start line-end line-start line-end",
    "\x1b[1;5D\x1b[1;3C\x1bb\x1bf": "word-left word-right word-left word-right",
    "\x1b[3~\x1b[3;5~\x1bd\x1b\x7f\x17":
      "delete-right delete-word-right delete-word-right delete-word-left delete-word-left",
    "\x01\x05\x02\x06\x0b\x15\x19\x14\x0c":
      "line-start line-end left right delete-to-end delete-to-start yank transpose redraw",
    "\r\x1b\r\n\x1b[13;2u\x1b[27;5;13~\x1b[13u": "submit newline newline newline newline submit",
    "\x03\x04\x1a\x10\x0e": "interrupt end suspend older newer",
    "\x7f\b\t": 'delete-left delete-left "\t"',
  };
  for (const [sent, expected] of Object.entries(cases)) {
    assert.equal(shown(keysOf(sent)), expected);
    // One byte at a time.
    assert.equal(shown(keysOf(...sent)), expected);
  }
});

Deno.test("KeyReader leaves out what it does not know, and what terminals answer", () => {
  assert.equal(shown(keysOf("a\x1b[15~\x1b[0n\x1b[?62;4c\x1bx\x00\x1cb")), '"a" "b"');
});

Deno.test("KeyReader reads text in any encoding's pieces, and pasted text between its marks", () => {
  const bytes = new TextEncoder().encode("h\u00e9 \u65e5\x1b[200~one\rtwo\x1b[A\x1b[201~x");
  const reader = new KeyReader();
  const keys = [...bytes].flatMap((byte) => reader.read(Uint8Array.of(byte)));
  assert.equal(shown(keys), '"h" "\u00e9" " " "\u65e5" {one\rtwo\x1b[A} "x"');
  assert.equal(shown(keysOf("\x1b[200~a\x1b[20", "1~b")), '{a} "b"');
  assert.equal(shown(keysOf("\x1b[200~\x1b", "[200~\x1b[201~")), "{\x1b[200~}");
});

Deno.test("KeyReader takes an Escape for a key where nothing comes after it", () => {
  const reader = new KeyReader();
  assert.deepEqual(reader.read(Uint8Array.of(0x1b)), []);
  assert.equal(reader.waiting, true);
  assert.equal(shown(reader.flush()), "escape");
  assert.equal(reader.waiting, false);
  assert.equal(shown(reader.flush()), "");
  assert.equal(shown(keysOf("\x1b\x1b[A\x1b\x03")), "escape up escape interrupt");
});
