import assert from "node:assert/strict";
import { judgeImport, parseRooms } from "./layers.ts";

const ROOMS = parseRooms(`
| room | what lives there | may import | speaks Deno? |
|---|---|---|---|
| \`streams/\` | bytes | - | no |
| \`sys/\` | host | streams | yes |
| \`agent/\` | loop | streams | no |
`);

const CASES: [name: string, path: string, specifier: string, message: string | undefined][] = [
  ["a door of an allowed room", "/x/src/agent/loop.ts", "../streams/mod.ts", undefined],
  ["a file of the same room", "/x/src/agent/deep/loop.ts", "../events.ts", undefined],
  ["a package", "/x/src/agent/loop.ts", "zod", undefined],
  ["a JSON file outside src", "/x/src/agent/loop.ts", "../../deno.json", undefined],
  ["a file outside the rooms", "/x/tests/a_test.ts", "../src/agent/loop.ts", undefined],
  ["a test of a room", "/x/src/streams/fd_test.ts", "../agent/loop.ts", undefined],
  ["node: in a host room", "/x/src/sys/file.ts", "node:fs", undefined],
  [
    "a room above",
    "/x/src/streams/fd.ts",
    "../agent/mod.ts",
    "Room streams/ must not import agent/ (it may import: no room)",
  ],
  [
    "past the door",
    "/x/src/agent/loop.ts",
    "../streams/source.ts",
    "Import streams/mod.ts, the door of the room, not streams/source.ts",
  ],
  [
    "node: in a portable room",
    "/x/src/agent/loop.ts",
    "node:fs",
    "Room agent/ does not speak to the host: node:fs",
  ],
  ["a folder's main file", "/x/src/agent/loop.ts", "./deep/mod.ts", undefined],
  ["a folder's file with its name", "/x/src/agent/a/loop.ts", "../deep/deep.ts", undefined],
  ["a file above in the same room", "/x/src/agent/deep/er/loop.ts", "../../run.ts", undefined],
  ["a page in a folder", "/x/src/agent/loop.ts", "./page/index.html", undefined],
  ["a door from a root", "/x/server.ts", "./src/agent/mod.ts", undefined],
  [
    "another file of a folder",
    "/x/src/agent/loop.ts",
    "./deep/part.ts",
    "Import the main file of agent/deep/ (mod.ts or deep.ts), not agent/deep/part.ts",
  ],
  [
    "a folder's folder, past both main files",
    "/x/src/agent/a/loop.ts",
    "../deep/er/er.ts",
    "Import the main file of agent/deep/ (mod.ts or deep.ts), not agent/deep/er/er.ts",
  ],
  [
    "a file past the door from a root",
    "/x/server.ts",
    "./src/agent/loop.ts",
    "Import agent/mod.ts, the door of the room, not agent/loop.ts",
  ],
  [
    "a room the table lacks",
    "/x/src/attic/box.ts",
    "../streams/mod.ts",
    "Room attic/ is missing from the table in ARCHITECTURE.md",
  ],
];

for (const [name, path, specifier, message] of CASES) {
  Deno.test(`house/layers ${message === undefined ? "allows" : "reports"} ${name}`, () => {
    assert.equal(judgeImport(ROOMS, path, specifier), message);
  });
}

Deno.test("house/layers reads every room of ARCHITECTURE.md and each room's imports exist", async () => {
  const plugin = await import("./layers.ts");
  const markdown = await Deno.readTextFile(new URL("../ARCHITECTURE.md", import.meta.url));
  const rooms = plugin.parseRooms(markdown);
  const folders = [...Deno.readDirSync(new URL("../src", import.meta.url))].map((e) => e.name);
  assert.deepEqual([...rooms.keys()].sort(), folders.sort());
  for (const [name, room] of rooms) {
    for (const other of room.mayImport) assert.ok(rooms.has(other), `${name} imports ${other}`);
  }
});

Deno.test("house/layers reports the host global in a portable room only", () => {
  const source = "export const x = Deno.pid;\n";
  const run = async (file: string) =>
    Deno.lint.runPlugin((await import("./layers.ts")).default, file, source);
  return Promise.all([run("src/agent/x.ts"), run("src/sys/x.ts")]).then(([agent, sys]) => {
    assert.deepEqual(agent.map((d) => d.message), [
      "Room agent/ does not speak to the host: take a port instead",
    ]);
    assert.deepEqual(sys, []);
  });
});

Deno.test("house/no-console reports console in src only", async () => {
  const { default: plugin } = await import("./layers.ts");
  const run = (file: string) =>
    Deno.lint.runPlugin(plugin, file, `console.log("x");\n`).map((d) => d.id);
  assert.deepEqual(run("src/agent/x.ts"), ["house/no-console"]);
  assert.deepEqual(run("src/agent/x_test.ts"), []);
  assert.deepEqual(run("bench/x.ts"), []);
});
