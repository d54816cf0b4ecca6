/**
 * Rates of the FS proxy: `deno task bench:fsproxy [RUNS]`. A process reads a file of the host
 * through its descriptor 3: with the clients in TypeScript and Python, with a second proxy in
 * between, and from OpenSSH's sftp-server if that is installed. Prints medians, and the load of the
 * machine before and after.
 */
import { hostFs } from "../src/sys/mod.ts";
import { spawnTree } from "../src/terminal/mod.ts";
import { hostVfs, serve } from "../src/vfs/mod.ts";
import { findProgram } from "../tools/find_program.ts";
import { figure, machine, markdownTable, median } from "./_report.ts";

const runs = Number(Deno.args[0] ?? 3);
const GB = 15_259 * 65_536; // 1.0 GB, in whole reads
const SMALL = 2 ** 25;

/** The path on Debian (package openssh-sftp-server) and on other systems. */
const sftp = ["/usr/lib/openssh/sftp-server", "/usr/libexec/sftp-server"].find((path) =>
  findProgram(path) !== undefined
);

const here = (name: string) => new URL(name, import.meta.url).pathname;
const deno = [Deno.execPath(), "run", "--quiet", "-A", here("_fsproxy_client.ts")];
const python = ["python3", here("_fsproxy_client.py")];

/** Seconds that a client takes to read. */
async function read(folder: string, command: readonly string[]): Promise<number> {
  const vfs = hostVfs(hostFs(), { root: folder, allow: [folder] });
  await using tree = await spawnTree(command, { duplex: true });
  if (tree.duplex === undefined) throw new Error("the client has no descriptor 3");
  const served = serve(vfs, tree.duplex);
  const [out, err] = await Promise.all(
    [tree.stdout, tree.stderr].map((stream) => new Response(stream).text()),
  );
  const { exitCode } = await tree.status;
  await tree.kill();
  await served;
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${err}`);
  return Number(out);
}

const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-bench-" }));
const load = () => Deno.loadavg().map(figure).join(" ");
try {
  const before = load();
  const piece = crypto.getRandomValues(new Uint8Array(65_536));
  const file = await Deno.open(`${folder}/in`, { write: true, create: true });
  const writer = file.writable.getWriter();
  for (let size = 0; size < GB; size += piece.length) await writer.write(piece);
  await writer.close();
  const rows: string[][] = [];
  for (const [chunk, window, total] of [[4096, 1, SMALL], [4096, 16, SMALL], [65_536, 16, GB]]) {
    if (chunk === undefined || window === undefined || total === undefined) continue;
    const args = [total, chunk, window].map(String);
    const clients: Record<string, readonly string[]> = {
      "TypeScript": [...deno, ...args],
      "Python": [...python, ...args],
      "TypeScript, one more hop": [...deno, ...args, ...deno, ...args],
      "Python, one more hop": [...deno, ...args, ...python, ...args],
    };
    if (sftp !== undefined) {
      clients["sftp-server (OpenSSH), Python"] = [
        ...["python3", here("_sftp_client.py"), sftp, `${folder}/in`],
        ...args,
      ];
    }
    for (const [name, command] of Object.entries(clients)) {
      const seconds: number[] = [];
      for (let run = 0; run < runs; run++) seconds.push(await read(folder, command));
      const middle = median(seconds);
      rows.push([
        name,
        ...[chunk, window, total / chunk].map(String),
        (total / chunk / middle).toFixed(0),
        figure(total / 1e6 / middle),
      ]);
    }
  }
  console.info(`${machine()}; load ${before} before, ${load()} after\n`);
  console.info(markdownTable(["client", "bytes", "window", "reads", "reads/s", "MB/s"], rows));
} finally {
  await Deno.remove(folder, { recursive: true });
}
