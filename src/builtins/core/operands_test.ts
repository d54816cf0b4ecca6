import assert from "node:assert/strict";
import { errorText } from "./operands.ts";

Deno.test("the text of a file error is the system's, also where another error wraps it", () => {
  const coded = Object.assign(new Error("open 'x'"), { code: "EACCES" });
  const named = new Error("x");
  named.name = "NotFoundError";
  const cases: [unknown, string][] = [
    [coded, "Permission denied"],
    [named, "No such file or directory"],
    [new Error("Cannot read x: no such file", { cause: coded }), "Permission denied"],
    [new Error("Cannot read x", { cause: named }), "No such file or directory"],
    [new Error("Files cannot be opened here"), "Files cannot be opened here"],
    [new Error("Why not", { cause: "this" }), "Why not"],
    [Object.assign(new Error("odd"), { code: "EODD" }), "odd"],
    ["a text", "a text"],
  ];
  for (const [error, text] of cases) assert.equal(errorText(error), text);
});
