import assert from "node:assert/strict";
import { compileRegex, nextSymbol, type RegexOptions } from "./mod.ts";

const encoder = new TextEncoder();
const extended: RegexOptions = { syntax: "extended" };

function exec(pattern: string, text: string | Uint8Array, options = extended): string {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  return compileRegex(pattern, options).exec(bytes, 0, bytes.length)?.join() ?? "none";
}

Deno.test("exec finds the leftmost match and there the longest", () => {
  assert.equal(exec("a|ab|abc", "xxabcd"), "2,5");
  assert.equal(exec("(a|ab)(c|bcd)", "abcd"), "0,4,0,1,1,4");
  assert.equal(exec("abcd|c", "abcd"), "0,4");
  assert.equal(exec("x*", "aaa"), "0,0");
  assert.equal(exec("bc*|c+", "abcccc"), "1,6");
});

Deno.test("exec gives sub-matches as glibc does", () => {
  assert.equal(exec("(a*)(ab)*(b*)", "abb"), "0,3,0,1,-1,-1,1,3");
  assert.equal(exec("(a*)*", "b"), "0,0,0,0");
  assert.equal(exec("(a|(b))*", "ba"), "0,2,1,2,0,1");
  assert.equal(exec("(a)|b", "b"), "0,1,-1,-1");
  assert.equal(exec("((a)|b)*c", "abc"), "0,3,1,2,0,1");
  assert.equal(exec("(a{0})b", "b"), "0,1,0,0");
  assert.equal(exec("^(.*)=(.*)$", "k=v=w"), "0,5,0,3,4,5");
});

Deno.test("exec goes on from a place and still sees what stands before it", () => {
  const bytes = encoder.encode("ab ab");
  const regex = compileRegex("\\<ab|^b", extended);
  assert.equal(regex.exec(bytes, 0, 5)?.join(), "0,2");
  assert.equal(regex.exec(bytes, 0, 5, 1)?.join(), "3,5");
  assert.equal(regex.exec(bytes, 0, 5, 4), null);
  assert.equal(compileRegex("^b", extended).exec(bytes, 1, 5)?.join(), "1,2");
});

Deno.test("exec of a new text in the same array does not remember the old one", () => {
  const bytes = encoder.encode("ab");
  const regex = compileRegex("b", extended);
  assert.equal(regex.exec(bytes, 0, 2)?.join(), "1,2");
  bytes.set(encoder.encode("ba"));
  assert.equal(regex.exec(bytes, 0, 2)?.join(), "0,1");
  assert.equal(regex.exec(bytes, 0, 2, 1), null);
});

Deno.test("find gives the match without its sub-matches", () => {
  const bytes = encoder.encode("a-12");
  assert.equal(compileRegex("([0-9])+", extended).find(bytes, 0, 4)?.join(), "2,4");
});

Deno.test("test sees only the text between start and end", () => {
  const bytes = encoder.encode("xaby");
  assert.equal(compileRegex("^ab$", extended).test(bytes, 1, 3), true);
  assert.equal(compileRegex("^ab$", extended).test(bytes, 0, 3), false);
  assert.equal(compileRegex("y", extended).test(bytes, 0, 3), false);
});

Deno.test("whole: a line, or a match without word characters beside it", () => {
  const line: RegexOptions = { ...extended, whole: "line" };
  const word: RegexOptions = { ...extended, whole: "word" };
  assert.equal(exec("a|ab", "ab", line), "0,2");
  assert.equal(exec("a", "ab", line), "none");
  assert.equal(exec("ab", "abc ab", word), "4,6");
  assert.equal(exec("a", "\u00e9a a\u3042", word), "none");
  assert.equal(exec("(a)\\1", "xaa aa", word), "4,6,4,5");
});

Deno.test("a dot and an inverted set match whole characters, never invalid bytes", () => {
  assert.equal(exec(".", "\u3042b"), "0,3");
  assert.equal(exec("[^b]", "b\u{1f600}"), "1,5");
  const invalid = [[0xff], [0xc3], [0xe3, 0x81], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0x80]];
  for (const bytes of invalid) {
    assert.equal(exec("^[^x]", Uint8Array.from(bytes)), "none", bytes.join());
    assert.equal(exec("^.", Uint8Array.from(bytes)), "none", bytes.join());
  }
  assert.equal(exec("a.b|b", Uint8Array.of(97, 0xff, 98)), "2,3");
});

Deno.test("a pattern of invalid bytes matches those bytes", () => {
  const pattern = Uint8Array.of(97, 0xff);
  const text = Uint8Array.of(98, 97, 0xff, 99);
  assert.equal(compileRegex(pattern, { syntax: "basic" }).exec(text, 0, 4)?.join(), "1,3");
  assert.equal(compileRegex(pattern, { syntax: "fixed" }).exec(text, 0, 4)?.join(), "1,3");
});

Deno.test("ignoreCase folds letters beyond ASCII, in sets and back-references too", () => {
  const fold: RegexOptions = { ...extended, ignoreCase: true };
  assert.equal(exec("STRA\u00dfE|\u00c9", "x\u00e9", fold), "1,3");
  assert.equal(exec("[\u0430-\u044f]+", "\u0416\u0436", fold), "0,4");
  assert.equal(exec("[^a]", "Ab", fold), "1,2");
  assert.equal(exec("(a)\\1", "xaA", fold), "1,3,1,2");
  assert.equal(exec("[[:lower:]]", "A", fold), "0,1");
});

Deno.test("ignoreCase takes the ends of a range in upper case, as glibc does", () => {
  const fold: RegexOptions = { ...extended, ignoreCase: true };
  const text = "_aZ^k@[`~";
  const found = (pattern: string) =>
    [...text].filter((character) => exec(pattern, character, fold) !== "none").join("");
  assert.equal(found("[A-z]"), "aZk");
  assert.equal(found("[a-Z]"), "aZk");
  assert.equal(found("[a-~]"), "_aZ^k[`~");
  assert.equal(found("[@-a]"), "a@");
  assert.equal(found("[0-a]"), "a@");
  assert.equal(found("[^A-z]"), "_^@[`~");
  for (const pattern of ["[_-z]", "[Z-a]", "[]-a]"]) {
    assert.throws(() => exec(pattern, "", fold), /^RegexError: Invalid range end$/);
  }
});

Deno.test("ranges go by code point", () => {
  assert.equal(exec("[\u3041-\u3096]+", "a\u3042\u3044b"), "1,7");
  assert.equal(exec("[A-Za-z0-9_.-]+", "@foo-bar.x!"), "1,10");
});

Deno.test("nextSymbol goes over one character, or one byte that is not part of one", () => {
  const bytes = Uint8Array.of(0xe3, 0x81, 0x82, 0xff, 97, 0xe3, 0x81);
  const places: number[] = [];
  for (let at = 0; at < bytes.length; at = nextSymbol(bytes, at, bytes.length)) places.push(at);
  assert.deepEqual(places, [0, 3, 4, 5, 6]);
});
