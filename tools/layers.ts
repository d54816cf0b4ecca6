/**
 * Lint plugin `house`: keeps imports between rooms to the table in ARCHITECTURE.md.
 *
 * `house/layers` reports, in `src/<room>/`,
 * - an import of a room that the table does not allow,
 * - an import past another room's door (`mod.ts`),
 * - an import past the main file of a folder inside a room: `mod.ts`, or the file with the folder's
 *   name (`sed/sed.ts`),
 * - the `Deno` global or a `node:` import where the table says a room does not speak to the host.
 *
 * `house/ports` keeps `src/ports/` to types; see `ports_rule.ts`.
 *
 * `house/no-console` reports `console` anywhere in `src/`: it swallows a closed output and writes where
 * only descriptor 1 may.
 *
 * The roots (`mod.ts`, `cli.ts`, `server.ts`) import doors only. Tests (`*_test.ts`, `*_bench.ts`,
 * `_testing.ts`) may import any file and use the host. That no files import each other in a circle
 * is checked by `tools/cycles.ts`.
 */
import table from "../ARCHITECTURE.md" with { type: "text" };
import { portsRule } from "./ports_rule.ts";

interface Room {
  mayImport: ReadonlySet<string>;
  host: boolean;
}

/** Reads the rooms from the table in ARCHITECTURE.md. */
export function parseRooms(markdown: string): Map<string, Room> {
  const rooms = new Map<string, Room>();
  for (const line of markdown.split("\n")) {
    const cells = line.split("|").map((cell) => cell.trim());
    const name = /^`(\w+)\/`$/.exec(cells[1] ?? "")?.[1];
    if (name === undefined || cells.length !== 6) continue;
    const mayImport = (cells[3] ?? "").split(",").map((room) => room.trim())
      .filter((room) => room !== "-");
    rooms.set(name, { mayImport: new Set(mayImport), host: cells[4] === "yes" });
  }
  return rooms;
}

const ROOMS = parseRooms(table);
const TEST_FILE = /(_test|_bench|\/_testing)\.ts$/;

/** The room of a file and its path inside the room; `undefined` outside of `src/`. */
function roomOf(path: string): { room: string; inside: string } | undefined {
  const match = /(?:^|\/)src\/(\w+)\/(.*)$/.exec(path.replaceAll("\\", "/"));
  return match === null ? undefined : { room: match[1] ?? "", inside: match[2] ?? "" };
}

/** Resolves a relative import to a path from `src/`; `undefined` if it leaves `src/`. */
function resolve(room: string, inside: string, specifier: string): string[] | undefined {
  const parts = [room, ...inside.split("/").slice(0, -1)];
  for (const part of specifier.split("/")) {
    if (part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts;
}

/** The roots, which connect the rooms. */
const ROOT_FILE = /^(?:mod|cli|server)\.ts$/;

/** Explains what is wrong with an import; `undefined` if it is allowed. */
export function judgeImport(
  rooms: ReadonlyMap<string, Room>,
  path: string,
  specifier: string,
): string | undefined {
  const place = roomOf(path);
  if (place === undefined) return judgeRoot(path, specifier);
  if (TEST_FILE.test(path)) return undefined;
  const room = rooms.get(place.room);
  if (room === undefined) return `Room ${place.room}/ is missing from the table in ARCHITECTURE.md`;
  if (specifier.startsWith("node:")) {
    return room.host ? undefined : `Room ${place.room}/ does not speak to the host: ${specifier}`;
  }
  if (!specifier.startsWith(".")) return undefined;
  const target = resolve(place.room, place.inside, specifier);
  if (target === undefined) return undefined;
  const [other = "", ...rest] = target;
  if (other === place.room) return judgeFolder([place.room, ...place.inside.split("/")], target);
  if (other.includes(".") || !rooms.has(other)) return undefined;
  if (!room.mayImport.has(other)) {
    return `Room ${place.room}/ must not import ${other}/ (it may import: ${
      [...room.mayImport].join(", ") || "no room"
    })`;
  }
  if (rest.join("/") !== "mod.ts") {
    return `Import ${other}/mod.ts, the door of the room, not ${target.join("/")}`;
  }
  return undefined;
}

/** Checks that a root imports only the doors of rooms. */
function judgeRoot(path: string, specifier: string): string | undefined {
  const name = path.replaceAll("\\", "/").split("/").at(-1) ?? "";
  if (!ROOT_FILE.test(name)) return undefined;
  const room = /^\.\/src\/(\w+)\/(.*)$/.exec(specifier);
  if (room === null || room[2] === "mod.ts") return undefined;
  return `Import ${room[1]}/mod.ts, the door of the room, not ${room[1]}/${room[2]}`;
}

/**
 * Checks that a file of a folder inside a room is imported only through the folder's main file,
 * unless the importer is in the folder or below. Both paths are from `src/`. Files other than
 * TypeScript, such as pages and scripts, are exempt.
 */
function judgeFolder(from: readonly string[], target: readonly string[]): string | undefined {
  if (!/\.ts$/.test(target.at(-1) ?? "")) return undefined;
  const folders = target.slice(0, -1);
  let shared = 0;
  while (shared < folders.length && shared < from.length - 1 && folders[shared] === from[shared]) {
    shared++;
  }
  const folder = folders[shared];
  if (folder === undefined) return undefined;
  const inside = target.slice(shared + 1).join("/");
  if (inside === "mod.ts" || inside === `${folder}.ts`) return undefined;
  const entered = folders.slice(0, shared + 1).join("/");
  return `Import the main file of ${entered}/ (mod.ts or ${folder}.ts), not ${target.join("/")}`;
}

const plugin: Deno.lint.Plugin = {
  name: "house",
  rules: {
    layers: {
      create(context) {
        const check = (node: Deno.lint.Node, specifier: unknown) => {
          if (typeof specifier !== "string") return;
          const message = judgeImport(ROOMS, context.filename, specifier);
          if (message !== undefined) context.report({ node, message });
        };
        const place = roomOf(context.filename);
        const portable = place !== undefined && !TEST_FILE.test(context.filename) &&
          ROOMS.get(place.room)?.host !== true;
        return {
          ImportDeclaration: (node) => check(node, node.source.value),
          ExportNamedDeclaration: (node) => check(node, node.source?.value),
          ExportAllDeclaration: (node) => check(node, node.source.value),
          ImportExpression: (node) => {
            if (node.source.type === "Literal") check(node, node.source.value);
          },
          MemberExpression: (node) => {
            if (portable && node.object.type === "Identifier" && node.object.name === "Deno") {
              context.report({
                node,
                message: `Room ${place.room}/ does not speak to the host: take a port instead`,
              });
            }
          },
        };
      },
    },
    ports: portsRule,
    "no-console": {
      create(context) {
        if (roomOf(context.filename) === undefined || TEST_FILE.test(context.filename)) return {};
        return {
          MemberExpression: (node) => {
            if (node.object.type === "Identifier" && node.object.name === "console") {
              context.report({ node, message: "Write to a sink or emit an event, not to console" });
            }
          },
        };
      },
    },
  },
};

export default plugin;
