import assert from "node:assert/strict";

async function reported(file: string, source: string): Promise<[string, string][]> {
  const { default: plugin } = await import("./layers.ts");
  return Deno.lint.runPlugin(plugin, file, source).filter(({ id }) => id === "house/ports")
    .map(({ id, message }) => [id, message]);
}

const ENTER = "Import ports/ by `import type` (or `export type`): it holds types alone";
const HOLD = "A file of ports/ holds types alone: move this to the room that implements the port";

Deno.test("house/ports allows type-only imports and exports of ports/", async () => {
  const source = `import type { HostFs } from "../ports/mod.ts";
export type { HostFile } from "../ports/mod.ts";
export type * from "../ports/mod.ts";
import { serve } from "./ports.ts";
import { listen } from "../airports/mod.ts";
export type Mine = HostFs;
serve(listen);
`;
  assert.deepEqual(await reported("src/vfs/x.ts", source), []);
});

const ENTERING = {
  "an import of values": `import { HostFs } from "../ports/mod.ts";\n`,
  "an import whose names alone are types": `import { type HostFs } from "../ports/mod.ts";\n`,
  "an import for its effects": `import "../ports/mod.ts";\n`,
  "an export of values": `export { HostFs } from "../../ports/mod.ts";\n`,
  "an export of all": `export * from "./src/ports/mod.ts";\n`,
  "a dynamic import": `await import("../ports/mod.ts");\n`,
};
for (const [name, source] of Object.entries(ENTERING)) {
  Deno.test(`house/ports reports ${name} from ports/, in tests too`, async () => {
    for (const file of ["src/vfs/x.ts", "src/vfs/x_test.ts", "mod.ts"]) {
      assert.deepEqual(await reported(file, source), [["house/ports", ENTER]], file);
    }
  });
}

Deno.test("house/ports allows interfaces, type aliases and type-only imports in ports/", async () => {
  const source = `import type { Chunk } from "../streams/mod.ts";
export type { HostFs } from "./host_files.ts";
export type Size = number;
interface Held {
  chunk: Chunk;
}
export interface Kept extends Held {
  size: Size;
}
`;
  assert.deepEqual(await reported("src/ports/x.ts", source), []);
});

const HOLDING = {
  "a constant": "export const LIMIT = 1;\n",
  "a function": "function size(): number {\n  return 1;\n}\n",
  "a class": "export class Files {}\n",
  "a statement": "console.log(1);\n",
  "an import of values": `import { Source } from "../streams/mod.ts";\n`,
  "an export of all": `export * from "./host_files.ts";\n`,
};
for (const [name, source] of Object.entries(HOLDING)) {
  Deno.test(`house/ports reports ${name} in ports/`, async () => {
    assert.deepEqual(await reported("src/ports/x.ts", source), [["house/ports", HOLD]]);
  });
}
