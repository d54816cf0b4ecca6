import assert from "node:assert/strict";
import { localTime } from "./local_time.ts";

Deno.test("localTime shows a moment as clocks here do, with two digits", () => {
  assert.equal(localTime(new Date(2026, 10, 29, 23, 59, 59).getTime()), "2026-11-29 23:59");
  assert.equal(localTime(new Date(2027, 0, 2, 3, 4).getTime()), "2027-01-02 03:04");
});
