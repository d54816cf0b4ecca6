import assert from "node:assert/strict";
import { openDatabase } from "../sys/mod.ts";
import { sqliteSessionStore } from "./mod.ts";

const SESSIONS = 20;

/** The program that is killed: it writes to all sessions at once, and says what is kept. */
async function write(path: string): Promise<never> {
  const store = sqliteSessionStore(await openDatabase(path));
  const encoder = new TextEncoder();
  const session = async (id: string): Promise<never> => {
    const first = { line: "0", title: "" };
    await store.create({ id, owner: "me", time: 1, first });
    for (let n = 1;; n++) {
      await store.append(id, String(n), n);
      Deno.stdout.writeSync(encoder.encode(`${id} ${n}\n`));
    }
  };
  return await Promise.race(Array.from({ length: SESSIONS }, (_, at) => session(`s${at}`)));
}

Deno.test("sqliteSessionStore: kill -9 loses no line that was said to be kept", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const pause of [0, 7, 40]) {
      const path = `${folder}/${pause}.sqlite`;
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "--no-lock", "--allow-all", import.meta.url, path],
        stdin: "null",
        stdout: "piped",
      }).spawn();
      const said = new Map<string, number>();
      let rest = "";
      let killed = false;
      for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const [id = "", n] = line.split(" ");
          said.set(id, Number(n));
        }
        if (killed || said.size < SESSIONS) continue;
        killed = true;
        setTimeout(() => child.kill("SIGKILL"), pause);
      }
      assert.equal((await child.status).signal, "SIGKILL");
      assert.equal(said.size, SESSIONS);
      const store = sqliteSessionStore(await openDatabase(path));
      for (const [id, n] of said) {
        const kept = (await store.lines(id)).map(Number);
        assert.ok(kept.length > n, `${id}: ${n} were kept, ${kept.length - 1} are there`);
        assert.deepEqual(kept, Array.from({ length: kept.length }, (_, at) => at), id);
      }
      await store.close();
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

if (import.meta.main && Deno.args[0] !== undefined) await write(Deno.args[0]);
