import { hostFs } from "../sys/mod.ts";
import { contract, type Subject } from "./_testing.ts";
import { hostVfs } from "./host_vfs.ts";
import { memoryVfs } from "./memory_vfs.ts";

async function onHost(confined: boolean): Promise<Subject> {
  const root = await Deno.makeTempDir({ prefix: "vfs-" });
  return {
    vfs: hostVfs(hostFs(), { root, ...(confined ? { allow: ["/dev", root] } : {}) }),
    symlink: (target, path) => Deno.symlink(target, `${root}/${path}`),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

const subjects: Record<string, () => Subject | Promise<Subject>> = {
  "hostVfs": () => onHost(false),
  "hostVfs, confined": () => onHost(true),
  "memoryVfs": () => {
    const vfs = memoryVfs({ root: "/work/here" });
    return {
      vfs,
      symlink: (target, path) => vfs.symlink(target, path),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },
};

for (const [name, subject] of Object.entries(subjects)) {
  for (const [rule, check] of Object.entries(contract)) {
    Deno.test(`${name} ${rule}`, async () => {
      await using made = await subject();
      await check(made);
    });
  }
}
