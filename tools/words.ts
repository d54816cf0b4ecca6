/**
 * Counts doc comments that do not come to the point, room by room, and holds each count to
 * `tools/words.json`: it may only fall. Part of `deno task lint`; `--update` writes lower counts.
 *
 * A doc comment counts when it begins with a question word ("Whether the sandbox is there" for "True
 * if the sandbox is there"), and so does each turn of phrase in {@linkcode PHRASES}, in comments
 * and messages.
 */
import allowed from "./words.json" with { type: "json" };

const ROOT = new URL("../", import.meta.url);
const COUNTS = new URL("words.json", import.meta.url);

const QUESTION = /\/\*\*\s*(?:\*\s*)?(?:What|Whether|How|Where|Why|Who)\b/g;

/** Turns of phrase that stand for a plain word. */
const PHRASES = /\b(?:for want of|(?:is|are|was|were) told|is one that|that is none|It is none)\b/g;

/** Counts the places in a program's text that do not come to the point. */
export function countWords(text: string): number {
  return (text.match(QUESTION)?.length ?? 0) + (text.match(PHRASES)?.length ?? 0);
}

/** The counts of all rooms with at least one. */
async function countRooms(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const walk = async (folder: string, room: (name: string) => string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
      if (isDirectory) await walk(`${folder}${name}/`, () => room(name));
      else if (name.endsWith(".ts") && `${folder}${name}` !== "tools/words.ts") {
        const count = countWords(await Deno.readTextFile(new URL(folder + name, ROOT)));
        if (count > 0) counts[room(name)] = (counts[room(name)] ?? 0) + count;
      }
    }
  };
  await walk("src/", (name) => name);
  for (const folder of ["tests", "tools", "bench"]) await walk(`${folder}/`, () => folder);
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a < b ? -1 : 1));
}

if (import.meta.main) {
  const counts = await countRooms();
  const limits: Readonly<Record<string, number>> = allowed;
  const grown = Object.entries(counts).filter(([room, count]) => count > (limits[room] ?? 0));
  const fallen = Object.entries(limits).filter(([room, limit]) => (counts[room] ?? 0) < limit);
  for (const [room, count] of grown) {
    console.error(
      `${room}/ has ${count} comments or messages that do not come to the point, ` +
        `${limits[room] ?? 0} before: say the subject first (tools/words.ts)`,
    );
  }
  if (grown.length > 0) Deno.exit(1);
  if (fallen.length > 0) {
    if (!Deno.args.includes("--update")) {
      console.error(
        "There are fewer long-winded comments: run deno task words to write the counts",
      );
      Deno.exit(1);
    }
    await Deno.writeTextFile(COUNTS, JSON.stringify(counts, null, 2) + "\n");
  }
}
