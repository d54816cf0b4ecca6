import assert from "node:assert/strict";
import { keyHint } from "./key_hint.ts";

Deno.test("keyHint names the key where a word in braces was likely meant as one", () => {
  const keys: Record<string, string> = {
    "{esc}": "{escape}",
    "{ENTER}": "{enter}",
    "{Return}": "{enter}",
    "{pgup}": "{pageup}",
    "{ctrl-c}": "{ctrl+c}",
    "{C-x}": "{ctrl+x}",
    "{control+d}": "{ctrl+d}",
    "{^c}": "{ctrl+c}",
    "{shift+tab}": "{escape}[Z",
    "{space}": "a space",
  };
  for (const [word, key] of Object.entries(keys)) {
    assert.equal(keyHint(`a${word}{enter}`), `${word} was sent as text; as a key it is ${key}`);
  }
  for (
    const text of [
      "{enter}{ctrl+c}{Ctrl+C}{f1}",
      "{{esc}} ${esc}",
      "awk '{print}'",
      "{a,b} {}",
      "{name}",
    ]
  ) assert.equal(keyHint(text), undefined, text);
});
