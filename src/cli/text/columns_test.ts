import assert from "node:assert/strict";
import { columnLines } from "./columns.ts";

Deno.test("columnLines puts columns below each other by the width of what is shown", () => {
  assert.deepEqual(columnLines([]), []);
  assert.deepEqual(
    columnLines([["NAME", "STATE", "IN"], ["\u65e5\u672c\u8a9e", "", "/a"], ["x", "running", ""]]),
    ["NAME    STATE    IN", "\u65e5\u672c\u8a9e           /a", "x       running"],
  );
});
