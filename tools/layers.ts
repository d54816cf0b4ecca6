/**
 * Lint plugin `house`: keeps imports between rooms to the table in ARCHITECTURE.md.
 *
 * `house/layers` reports, in `src/<room>/`,
 * - an import of a room that the table does not allow,
 * - an import past another room's door (`mod.ts`); modules of a page (`.js`) may import modules of
 *   another room's page, as browsers do,
 * - an import past the main file of a folder inside a room: `mod.ts`, or the file with the folder's
 *   name (`sed/sed.ts`),
 * - the `Deno` global or a `node:` import where the table says a room does not speak to the host.
 *
 * A folder of a room that has a row of its own, such as `web/chat/`, is a room of its own.
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
    const name = /^`(\w+(?:\/\w+)?)\/`$/.exec(cells[1] ?? "")?.[1];
    if (name === undefined || cells.length !== 6) continue;
    const mayImport = (cells[3] ?? "").split(",").map((room) => room.trim())
      .filter((room) => room !== "-");
    rooms.set(name, { mayImport: new Set(mayImport), host: cells[4] === "yes" });
  }
  return rooms;
}

const ROOMS = parseRooms(table);
const TEST_FILE = /(_test|_bench|\/_testing)\.ts$/;

/** The path of a file from `src/`, in parts; undefined outside. */
function partsOf(path: string): string[] | undefined {
  const match = /(?:^|\/)src\/(\w+\/.*)$/.exec(path.replaceAll("\\", "/"));
  return match?.[1]?.split("/");
}

/** The name of the room that a path from `src/` is in: of the folder with the deepest row. */
function roomOf(
  rooms: ReadonlyMap<string, Room>,
  [outer = "", inner = ""]: readonly string[],
): string {
  return rooms.has(`${outer}/${inner}`) ? `${outer}/${inner}` : outer;
}

/** Resolves a relative import to a path from `src/`, or undefined when it leaves `src/`. */
function resolve(from: readonly string[], specifier: string): string[] | undefined {
  const parts = from.slice(0, -1);
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
  const from = partsOf(path);
  if (from === undefined) return judgeRoot(rooms, path, specifier);
  if (TEST_FILE.test(path)) return undefined;
  const name = roomOf(rooms, from);
  const room = rooms.get(name);
  if (room === undefined) return `Room ${name}/ is missing from the table in ARCHITECTURE.md`;
  if (specifier.startsWith("node:")) {
    return room.host ? undefined : `Room ${name}/ does not speak to the host: ${specifier}`;
  }
  if (!specifier.startsWith(".")) return undefined;
  const target = resolve(from, specifier);
  if (target === undefined) return undefined;
  const other = roomOf(rooms, target);
  if (other === name) return judgeFolder(from, target);
  if (other.includes(".") || !rooms.has(other)) return undefined;
  if (!room.mayImport.has(other)) {
    return `Room ${name}/ must not import ${other}/ (it may import: ${
      [...room.mayImport].join(", ") || "no room"
    })`;
  }
  const whole = target.join("/");
  if (whole === `${other}/mod.ts` || isModuleOfPage(path) && isModuleOfPage(whole)) {
    return undefined;
  }
  return `Import ${other}/mod.ts, the door of the room, not ${whole}`;
}

/** True for the modules of pages, which browsers load by their own addresses. */
function isModuleOfPage(path: string): boolean {
  return path.endsWith(".js");
}

/** A root takes what it needs from the rooms' doors. */
function judgeRoot(
  rooms: ReadonlyMap<string, Room>,
  path: string,
  specifier: string,
): string | undefined {
  const name = path.replaceAll("\\", "/").split("/").at(-1) ?? "";
  if (!ROOT_FILE.test(name)) return undefined;
  const target = /^\.\/src\/(\w+\/.*)$/.exec(specifier)?.[1];
  if (target === undefined) return undefined;
  const door = `${roomOf(rooms, target.split("/"))}/mod.ts`;
  return target === door ? undefined : `Import ${door}, the door of the room, not ${target}`;
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
        const parts = partsOf(context.filename);
        const room = parts === undefined ? undefined : roomOf(ROOMS, parts);
        const portable = room !== undefined && !TEST_FILE.test(context.filename) &&
          ROOMS.get(room)?.host !== true;
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
                message: `Room ${room}/ does not speak to the host: take a port instead`,
              });
            }
          },
        };
      },
    },
    ports: portsRule,
    "no-console": {
      create(context) {
        if (partsOf(context.filename) === undefined || TEST_FILE.test(context.filename)) return {};
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
