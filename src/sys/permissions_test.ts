import assert from "node:assert/strict";
import { requirePrograms } from "./permissions.ts";

Deno.test({
  name: "requirePrograms refuses an executable that may start no programs",
  permissions: { run: false },
  fn() {
    assert.throws(() => requirePrograms(true), {
      name: "PermissionError",
      message: /^Cannot start programs: permission --allow-run is missing \(/,
    });
    requirePrograms(false);
  },
});

Deno.test({
  name: "requirePrograms lets an executable pass that may start one of the shells",
  permissions: { run: ["sh"] },
  fn: () => requirePrograms(true),
});
