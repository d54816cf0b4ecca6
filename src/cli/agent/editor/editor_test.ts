import assert from "node:assert/strict";
import { drawn } from "./drawn.ts";
import {
  editedText,
  type EditorEvent,
  type EditorState,
  newEditor,
  press,
  submitted,
} from "./editor.ts";
import { KeyReader } from "./keys.ts";

const WIDTH = 40;

/** An editor after keys, given as the bytes of a terminal. */
function typed(keys: string, state: EditorState = newEditor(), width = WIDTH): EditorState {
  for (const key of new KeyReader().read(new TextEncoder().encode(keys))) {
    state = press(state, key, width).state;
  }
  return state;
}

/** The text with a bar at the cursor. */
function shown({ atoms, cursor }: EditorState): string {
  const text = (from: number, to?: number) =>
    atoms.slice(from, to).map(({ text }) => text).join("");
  return `${text(0, cursor)}|${text(cursor)}`;
}

/** The event of the last key. */
function eventOf(keys: string, state = newEditor()): EditorEvent | undefined {
  let event: EditorEvent | undefined;
  for (const key of new KeyReader().read(new TextEncoder().encode(keys))) {
    ({ state, event } = press(state, key, WIDTH));
  }
  return event;
}

const LEFT = "\x1b[D";
const RIGHT = "\x1b[C";
const UP = "\x1b[A";
const DOWN = "\x1b[B";

Deno.test("the editor inserts and deletes where the cursor is", () => {
  const cases: Record<string, string> = {
    [`abc${LEFT}${LEFT}x`]: "ax|bc",
    [`abc${LEFT}\x7f`]: "a|c",
    [`abc${LEFT}${LEFT}\x1b[3~\x04`]: "a|",
    [`abc\x01x\x05y`]: "xabcy|",
    [`${LEFT}${RIGHT}\x7f`]: "|",
    "one two\x1bb\x1bb\x1bfx": "onex| two",
    "one, two\x17\x17": "|",
    "ab\x14": "ba|",
    "one\\\rtwo": "one\ntwo|",
    "one\x1b\rtwo\x01x": "one\nx|two",
    "a\x1b[200~b\r\nc\td\x07\x1b[201~e": "ab\nc\tde|",
  };
  for (const [keys, expected] of Object.entries(cases)) assert.equal(shown(typed(keys)), expected);
});

Deno.test("the editor moves over characters as people see them", () => {
  const family = "\u{1f469}\u200d\u{1f469}\u200d\u{1f466}";
  const cases: Record<string, string> = {
    [`cafe\u0301${LEFT}x`]: "cafx|e\u0301",
    [`a${family}${LEFT}\x7f`]: `|${family}`,
    [`a${family}\x7f`]: "a|",
    [`\u65e5\u672c\u8a9e${LEFT}${LEFT}x`]: "\u65e5x|\u672c\u8a9e",
    [`e${LEFT}${RIGHT}\u0301\x7f`]: "|",
    [`\u{1f1e9}\u{1f1ea}\x7f`]: "|",
  };
  for (const [keys, expected] of Object.entries(cases)) assert.equal(shown(typed(keys)), expected);
});

Deno.test("the editor brings back what was deleted, in one piece where that was in a row", () => {
  assert.equal(shown(typed("one two three\x17\x17\x01\x19")), "two three|one ");
  assert.equal(shown(typed("one two\x01\x0b\x19\x19")), "one twoone two|");
  assert.equal(shown(typed("one two\x15x\x15\x19")), "x|");
  assert.equal(shown(typed("one\x1b\rtwo\x1b[A\x0b\x0b\x19")), "one\ntwo|");
  assert.equal(shown(typed("not sent\x03\x19")), "not sent|");
});

Deno.test("the editor moves up and down in rows, and then in the history", () => {
  const state = newEditor(["first", "second"]);
  assert.equal(shown(typed(`own${UP}`, state)), "second|");
  assert.equal(shown(typed(`own${UP}${UP}${UP}`, state)), "first|");
  assert.equal(shown(typed(`own${UP}${UP}${DOWN}${DOWN}`, state)), "own|");
  assert.equal(shown(typed(`one\x1b\rtwo${UP}x`, state)), "onex|\ntwo");
  assert.equal(
    shown(typed(`long line\x1b\rb\x1b\rlong too${UP}${UP}x`, state)),
    "long linx|e\nb\nlong too",
  );
  assert.equal(shown(typed(`aaaa bbbb cccc${UP}x`, state, 10)), "aaaax| bbbb cccc");
  assert.equal(shown(typed("own\x10", state)), "second|");
});

Deno.test("the editor keeps what was entered in the history, once and not when it is blank", () => {
  let state = newEditor(["a"]);
  for (const text of ["b", "  ", "a"]) state = submitted(typed(text, state));
  assert.deepEqual(state.history, ["b", "a"]);
  assert.equal(editedText(state), "");
});

Deno.test("the editor tells its owner what it does not do itself", () => {
  assert.equal(eventOf("x\r"), "submit");
  assert.equal(eventOf("x\\\r"), undefined);
  assert.equal(eventOf("x\x03"), "cleared");
  assert.equal(eventOf("x\x03\x03"), "interrupt");
  assert.equal(eventOf("\x04"), "end");
  assert.equal(eventOf(`x${LEFT}\x04`), undefined);
  assert.equal(eventOf("\x1a"), "suspend");
  assert.equal(eventOf("\x0c"), "redraw");
});

Deno.test("the editor folds long pastes to one mark, which stands for all of the text", () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
  const state = typed(`a \x1b[200~${lines}\x1b[201~ b`);
  assert.equal(editedText(state), `a ${lines} b`);
  const { rows } = draw(state);
  assert.deepEqual(rows, ["> a [pasted 30 lines] b"]);
  assert.equal(shown(typed("\x7f\x7f\x7f", state)), "a |");
  const wide = typed(`\x1b[200~${"x".repeat(2000)}\x1b[201~`);
  assert.deepEqual(draw(wide).rows, ["> [pasted 2000 characters]"]);
});

function draw(state: EditorState, columns = WIDTH, most = 10) {
  return drawn(state, { prompt: "> ", promptColumns: 2, columns, most });
}

Deno.test("drawn breaks rows between words and beside wide characters, and finds the cursor", () => {
  const words = draw(typed("some words that are longer"), 20);
  assert.deepEqual(words.rows, ["> some words that", "  are longer"]);
  assert.deepEqual(words.cursor, { row: 1, column: 12 });
  const long = draw(typed("x".repeat(20)), 12);
  assert.deepEqual(long.rows, [`> ${"x".repeat(9)}`, `  ${"x".repeat(9)}`, "  xx"]);
  const wide = draw(typed(`${"\u65e5".repeat(6)}${LEFT}`), 12);
  assert.deepEqual(wide.rows, [`> ${"\u65e5".repeat(4)}`, `  ${"\u65e5".repeat(2)}`]);
  assert.deepEqual(wide.cursor, { row: 1, column: 4 });
  const marks = draw(typed(`cafe\u0301 x`));
  assert.deepEqual(marks.cursor, { row: 0, column: 8 });
  const full = draw(typed("x".repeat(9)), 12);
  assert.deepEqual([full.rows.length, full.cursor], [1, { row: 0, column: 11 }]);
});

Deno.test("drawn shows the rows around the cursor where there are more than may be", () => {
  const lines = typed(Array.from({ length: 9 }, (_, at) => `${at}`).join("\x1b\r"));
  assert.deepEqual(draw(lines, WIDTH, 3).rows, ["  6", "  7", "  8"]);
  const above = typed(UP.repeat(8), lines);
  assert.deepEqual(draw(above, WIDTH, 3), {
    rows: ["> 0", "  1", "  2"],
    cursor: { row: 0, column: 3 },
  });
});

Deno.test("drawn shows control characters as escapes, and tabs as spaces", () => {
  assert.deepEqual(draw(typed("\x1b[200~a\tb\u202ec\x1b[201~")).rows, ["> a    b\\u202ec"]);
});
