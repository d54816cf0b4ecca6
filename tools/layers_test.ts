import assert from "node:assert/strict";
import { judgeImport, parseRooms } from "./layers.ts";

const ROOMS = parseRooms(`
| room | what lives there | may import | speaks Deno? |
|---|---|---|---|
| \`streams/\` | bytes | - | no |
| \`sys/\` | host | streams | yes |
| \`agent/\` | loop | streams | no |
| \`web/http/\` | bodies | streams | no |
| \`web/page/\` | shared files | web/http | no |
| \`web/chat/\` | an app | agent, web/http, web/page | no |
| \`web/mock/\` | an app | web/http | no |
| \`web/\` | all apps | web/chat, web/mock | no |
| \`testing/\` | doubles | web/mock | no |
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
  ["an app's door from another room", "/x/src/testing/x.ts", "../web/mock/mod.ts", undefined],
  ["an app's door from the room around it", "/x/src/web/mod.ts", "./chat/mod.ts", undefined],
  ["an app's door from a root", "/x/server.ts", "./src/web/mock/mod.ts", undefined],
  ["a room from an app", "/x/src/web/chat/x.ts", "../../agent/mod.ts", undefined],
  ["a folder in an app", "/x/src/web/chat/x.ts", "./page/page.ts", undefined],
  ["a shared module in a page", "/x/src/web/chat/page/x.js", "../../page/dom.js", undefined],
  [
    "an app from another one",
    "/x/src/web/mock/x.ts",
    "../chat/mod.ts",
    "Room web/mock/ must not import web/chat/ (it may import: web/http)",
  ],
  [
    "all apps where the table allows one",
    "/x/src/testing/x.ts",
    "../web/mod.ts",
    "Room testing/ must not import web/ (it may import: web/mock)",
  ],
  [
    "a file past an app's door",
    "/x/src/web/mod.ts",
    "./chat/app.ts",
    "Import web/chat/mod.ts, the door of the room, not web/chat/app.ts",
  ],
  [
    "a file past an app's door from a root",
    "/x/server.ts",
    "./src/web/mock/app.ts",
    "Import web/mock/mod.ts, the door of the room, not web/mock/app.ts",
  ],
  [
    "a module of a page that the table does not allow",
    "/x/src/web/mock/x.js",
    "../page/dom.js",
    "Room web/mock/ must not import web/page/ (it may import: web/http)",
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
  const names = [...rooms.keys()];
  assert.deepEqual(names.filter((name) => !name.includes("/")).sort(), folders.sort());
  for (const [name, room] of rooms) {
    assert.ok(Deno.statSync(new URL(`../src/${name}/mod.ts`, import.meta.url)).isFile, name);
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
