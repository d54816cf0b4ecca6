import assert from "node:assert/strict";
import { checkLines, readKeys } from "./keys.ts";

const typed = (input: string, options: { raw?: boolean; applicationCursor?: boolean } = {}) =>
  readKeys(input, { raw: false, applicationCursor: false, ...options });

Deno.test("readKeys sends what xterm sends for the specification's keys", () => {
  const codes = {
    enter: "\r",
    up: "\x1b[A",
    down: "\x1b[B",
    right: "\x1b[C",
    left: "\x1b[D",
    tab: "\t",
    backspace: "\x7f",
    escape: "\x1b",
    "ctrl+c": "\x03",
    "ctrl+d": "\x04",
    home: "\x1b[H",
    end: "\x1b[F",
    pageup: "\x1b[5~",
    pagedown: "\x1b[6~",
    delete: "\x1b[3~",
    insert: "\x1b[2~",
    f1: "\x1bOP",
    f4: "\x1bOS",
    f5: "\x1b[15~",
    f12: "\x1b[24~",
    "ctrl+a": "\x01",
    "ctrl+z": "\x1a",
    "alt+x": "\x1bx",
    "alt+.": "\x1b.",
    "alt+}": "\x1b}",
  };
  for (const [name, text] of Object.entries(codes)) {
    assert.deepEqual(typed(`{${name}}`), { text, keys: [name] }, name);
  }
  assert.deepEqual(typed("y{enter}{up}"), { text: "y\r\x1b[A", keys: ["enter", "up"] });
  assert.deepEqual(typed("{Ctrl+C}{CTRL+c}"), { text: "\x03\x03", keys: ["ctrl+c", "ctrl+c"] });
});

Deno.test("readKeys sends the application codes of the cursor keys where the program asked for them", () => {
  const { text } = typed("{up}{home}{f1}{delete}", { applicationCursor: true });
  assert.equal(text, "\x1bOA\x1bOH\x1bOP\x1b[3~");
});

Deno.test("readKeys leaves all other braces as they are", () => {
  for (
    const text of [
      "awk '{print $1}' file",
      '{"a": {"enter": 1}}',
      "{{ .Values }}",
      "{{enter}} and {{ up }}",
      "echo ${HOME} ${end} ${tab}",
      "for (;;) { x }",
      "{END} {Enter} {}",
      "echo {a,b} {1..3} {enter",
      "{control+c} {f} {f1x}",
    ]
  ) assert.deepEqual(typed(text), { text, keys: [] });
  assert.deepEqual(typed("{enter}{ctrl+x}{f99}", { raw: true }), {
    text: "{enter}{ctrl+x}{f99}",
    keys: [],
  });
});

Deno.test("readKeys takes a line feed for the key Enter", () => {
  assert.equal(typed("ls\npwd\r\n").text, "ls\rpwd\r");
  assert.equal(typed("ls\n", { raw: true }).text, "ls\r");
});

Deno.test("readKeys refuses keys that do not exist, and names near ones", () => {
  const refused = {
    "{ctrl+1}": "There is no key {ctrl+1} (did you mean {ctrl+a}?): there are {ctrl+a} to {ctrl+z}",
    "{ctrl+enter}": "There is no key {ctrl+enter} (did you mean {enter}?): there are",
    "{alt+up}": "There is no key {alt+up} (did you mean {up}?): there are {alt+x}, with one",
    "{f13}": "There is no key {f13} (did you mean {f1}?): there are {f1} to {f12}; to send the",
  };
  for (const [input, message] of Object.entries(refused)) {
    assert.throws(() => typed(`ls${input}`), (error) => {
      assert(error instanceof RangeError);
      assert.equal(error.message.slice(0, message.length), message);
      return true;
    });
  }
});

Deno.test("checkLines refuses a line that the terminal would cut", () => {
  checkLines(`${"x".repeat(4095)}\r${"y".repeat(4095)}\r`);
  assert.throws(
    () => checkLines(`ok\r${"\u00e4".repeat(2048)}\r`),
    /Cannot send a line of 4096 bytes/,
  );
});
