import assert from "node:assert/strict";
import type { HostFs } from "../ports/mod.ts";
import { hostFs } from "../sys/mod.ts";
import { fails, names, put, textOf } from "./_testing.ts";
import { VfsError } from "./errors.ts";
import { hostVfs } from "./host_vfs.ts";
import type { BeyondRequest } from "./host_vfs_options.ts";
import type { Vfs } from "./types.ts";

/** An allowed folder `in`, a folder `out` with a file beside it, and links between them. */
async function confined(
  use: (vfs: Vfs, top: string) => Promise<void>,
  host: (top: string) => HostFs = hostFs,
): Promise<void> {
  const top = await Deno.makeTempDir({ prefix: "vfs-" });
  try {
    await Deno.mkdir(`${top}/in/sub`, { recursive: true });
    await Deno.mkdir(`${top}/out`);
    await Deno.writeTextFile(`${top}/out/secret`, "secret");
    await Deno.writeTextFile(`${top}/in/sub/file`, "fine");
    await Deno.symlink(`${top}/out/secret`, `${top}/in/absolute`);
    await Deno.symlink("../out", `${top}/in/folder`);
    await Deno.symlink("../out/new", `${top}/in/dangling`);
    await Deno.symlink("sub/file", `${top}/in/inside`);
    await use(hostVfs(host(top), { root: `${top}/in`, allow: [`${top}/in`] }), top);
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

Deno.test("hostVfs, confined, refuses all that is outside, whichever way it is named", async () => {
  await confined(async (vfs, top) => {
    const outside = [
      "../out/secret",
      `${top}/out/secret`,
      "absolute",
      "folder/secret",
      "sub/../folder/secret",
      "/etc/passwd",
      "/etc/none",
      "/etc/passwd/none",
      "..",
      "/",
    ];
    for (const path of outside) {
      await fails(vfs.stat(path), "EACCES", path);
      await fails(vfs.read(path), "EACCES", path);
      await fails(vfs.realpath(path), "EACCES", path);
      await fails(vfs.write(path), path === "/" ? "EISDIR" : "EACCES", path);
      await fails(names(vfs, path), "EACCES", path);
    }
    for (const path of ["dangling", "folder/new", "../new", `${top}/input`]) {
      await fails(vfs.write(path), "EACCES", path);
      await fails(vfs.mkdir(path), "EACCES", path);
      await fails(vfs.mkdir(`${path}/x`, { parents: true }), "EACCES", `${path}/x`);
    }
    await fails(vfs.remove("folder/secret"), "EACCES", "folder/secret");
    await fails(vfs.rename("folder/secret", "mine"), "EACCES");
    await fails(vfs.rename("sub/file", "../out/file"), "EACCES");
    await fails(vfs.remove(".", { recursive: true }), "EBUSY", ".");
    const message = `Cannot read ../out/secret: it is outside the allowed folders (${top}/in)`;
    await assert.rejects(vfs.read("../out/secret"), { message });
    assert.deepEqual(await names(hostVfs(hostFs(), { root: top }), "out"), ["file secret"]);
  });
});

Deno.test("hostVfs, confined, allows what is inside, also by links and ..", async () => {
  await confined(async (vfs, top) => {
    assert.equal(await textOf(vfs, "inside"), "fine");
    assert.equal(await textOf(vfs, "sub/../sub/file"), "fine");
    assert.equal(await textOf(vfs, `${top}/in/sub/file`), "fine");
    assert.equal(await textOf(vfs, "folder/../in/sub/file"), "fine");
    // The links themselves are in the allowed folder.
    assert.equal(await vfs.readlink("folder"), "../out");
    assert.equal((await vfs.lstat("absolute")).kind, "link");
    await vfs.rename("folder", "moved");
    await vfs.remove("moved");
    assert.equal((await Deno.stat(`${top}/out`)).isDirectory, true);
  });
});

Deno.test("hostVfs refuses what is hidden, whichever way it is named, and nothing else", async () => {
  await confined(async (_, top) => {
    await Deno.symlink(`${top}/out`, `${top}/in/link`);
    await Deno.link(`${top}/in/sub/file`, `${top}/in/hard`);
    const hidden = [`${top}/in/link`, `${top}/later`, `${top}/in/sub/file`];
    for (const allow of [undefined, [top]]) {
      const vfs = hostVfs(hostFs(), { root: `${top}/in`, allow, hidden });
      for (
        const path of [
          "../out/secret",
          `${top}/out/secret`,
          "absolute",
          "folder/secret",
          "link",
          "link/secret",
          "link/none",
          "link/secret/none",
          "inside",
          "sub/../sub/file",
          "../later",
          "../later/x",
        ]
      ) {
        await fails(vfs.stat(path), "EACCES", path);
        await fails(vfs.read(path), "EACCES", path);
        await fails(vfs.write(path), "EACCES", path);
        await fails(names(vfs, path), "EACCES", path);
        await fails(vfs.mkdir(path, { parents: true }), "EACCES", path);
      }
      await fails(vfs.rename("../out", "mine"), "EACCES", "../out");
      await fails(vfs.rename("hard", "../out/mine"), "EACCES");
      await fails(vfs.remove("../out", { recursive: true }), "EACCES", "../out");
      // Under another name, its hidden file would be visible.
      await fails(vfs.rename("sub", "mine"), "EACCES", "sub");
      await fails(vfs.remove("sub", { recursive: true }), "EACCES", "sub");
      await fails(vfs.remove("link"), "EACCES", "link");
      assert.equal(await textOf(vfs, "hard"), "fine");
      const message = `Cannot read folder/secret: ${top}/in/link is hidden from these tools`;
      await assert.rejects(vfs.read("folder/secret"), { message });
    }
    // The hidden path is resolved again at each operation.
    const vfs = hostVfs(hostFs(), { root: `${top}/in`, hidden });
    await Deno.symlink(`${top}/in/hard`, `${top}/later`);
    await fails(vfs.read("hard"), "EACCES", "hard");
  });
});

Deno.test("hostVfs, confined, notices a folder that was swapped for a link in between", async () => {
  for (const kernelTells of [true, false]) {
    await confined(async (vfs, top) => {
      await fails(vfs.read("sub/file"), "EACCES", "sub/file");
      await Deno.remove(`${top}/in/sub`);
      await Deno.rename(`${top}/in/old`, `${top}/in/sub`);
      await fails(vfs.write("sub/file"), "EACCES", "sub/file");
      await Deno.remove(`${top}/in/sub`);
      await Deno.rename(`${top}/in/old`, `${top}/in/sub`);
      await fails(vfs.open("sub/file", "w"), "EACCES", "sub/file");
      assert.equal(await Deno.readTextFile(`${top}/out/file`), "outside");
      assert.deepEqual(await names(hostVfs(hostFs(), { root: top }), "out"), [
        "file file",
        "file secret",
      ]);
    }, (top) => {
      const host = hostFs();
      const swap = async () => {
        await Deno.writeTextFile(`${top}/out/file`, "outside");
        await Deno.rename(`${top}/in/sub`, `${top}/in/old`);
        await Deno.symlink("../out", `${top}/in/sub`);
      };
      const hide = <T extends { path: string | undefined }>(opened: T): T =>
        kernelTells ? opened : { ...opened, path: undefined };
      return {
        ...host,
        hold: () => Promise.resolve(undefined),
        open: async (path, mode) => {
          await swap();
          return hide(await host.open(path, mode));
        },
        create: async (folder, like) => {
          if (kernelTells) await swap();
          const output = await host.create(folder, like);
          if (!kernelTells) await swap();
          return hide(output);
        },
      };
    });
  }
});

Deno.test({
  name: "hostVfs writes in the folder that it checked, whatever takes its place before the end",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await confined(async (vfs, top) => {
      const output = await vfs.write("sub/file");
      await output.write(new TextEncoder().encode("new"));
      await Deno.writeTextFile(`${top}/out/file`, "outside");
      await Deno.rename(`${top}/in/sub`, `${top}/in/old`);
      await Deno.symlink("../out", `${top}/in/sub`);
      await output.close();
      assert.equal(await Deno.readTextFile(`${top}/in/old/file`), "new");
      assert.equal(await Deno.readTextFile(`${top}/out/file`), "outside");
      assert.deepEqual(await names(vfs, "old"), ["file file"]);
      const host = hostFs();
      // The folder was still a folder when the path was checked.
      await assert.rejects(host.mkdir(`${top}/in/sub/x`), { code: "EACCES" });
      await Deno.mkdir(`${top}/in/deep`);
      await Deno.symlink("..", `${top}/in/deep/up`);
      await assert.rejects(host.mkdir(`${top}/in/deep/up/old/x`), { code: "EACCES" });
      await assert.rejects(host.create(`${top}/in/deep/up/old`, undefined), { code: "EACCES" });
    });
  },
});

Deno.test("hostVfs, confined, acts in the folder it holds, whatever is put in its place", async () => {
  const acts: Record<string, (vfs: Vfs) => Promise<unknown>> = {
    stat: async (vfs) => assert.equal((await vfs.stat("sub/file")).size, 6),
    lstat: async (vfs) => assert.equal((await vfs.lstat("sub/file")).size, 6),
    read: async (vfs) => assert.equal(await textOf(vfs, "sub/file"), "inside"),
    open: async (vfs) => {
      for (const mode of ["r", "w", "a", "rw"] as const) {
        await (await vfs.open("sub/file", mode)).close();
      }
    },
    create: async (vfs) => await (await vfs.open("sub/created", "w")).close(),
    list: async (vfs) => assert.deepEqual(await names(vfs, "sub"), ["file file"]),
    rename: (vfs) => vfs.rename("sub/file", "sub/renamed"),
    remove: (vfs) => vfs.remove("sub/file"),
  };
  for (const [name, act] of Object.entries(acts)) {
    let swapped = false;
    await confined(async (vfs, top) => {
      await Deno.writeTextFile(`${top}/in/sub/file`, "inside");
      await Deno.writeTextFile(`${top}/out/file`, "outside!");
      await act(vfs).catch((error) => {
        // At the second check, the path leads outside and is refused.
        if (!(error instanceof VfsError) || error.code !== "EACCES") throw error;
      });
      assert.equal(swapped, true, name);
      assert.equal(await Deno.readTextFile(`${top}/out/file`), "outside!", name);
      const outside = await names(hostVfs(hostFs(), { root: top }), "out");
      assert.deepEqual(outside, ["file file", "file secret"], name);
    }, (top) => {
      const host = hostFs();
      return {
        ...host,
        hold: async (path) => {
          const held = await host.hold(path);
          if (!swapped) {
            swapped = true;
            await Deno.rename(`${top}/in/sub`, `${top}/in/old`);
            await Deno.symlink("../out", `${top}/in/sub`);
          }
          return held;
        },
      };
    });
  }
});

Deno.test("hostVfs keeps the mode of a file it writes, and cleans up", async () => {
  await confined(async (vfs, top) => {
    await Deno.chmod(`${top}/in/sub/file`, 0o4751);
    await put(vfs, "inside", "new");
    assert.equal((await vfs.stat("inside")).mode, 0o4751);
    assert.equal(await vfs.readlink("inside"), "sub/file");
    const output = await vfs.write("other");
    await output.write(new Uint8Array([1]));
    await output.abort();
    await vfs.write("sub/file").then((output) => output.abort());
    await Deno.remove(`${top}/in/sub`, { recursive: true });
    const late = vfs.write("sub/file");
    await fails(late, "ENOENT", "sub/file");
    assert.equal((await names(vfs, ".")).some((name) => name.includes("tmp")), false);
  });
});

Deno.test("hostVfs reads and writes no FIFOs and devices, and does not wait for them", async () => {
  const top = await Deno.makeTempDir();
  await new Deno.Command("mkfifo", { args: [`${top}/fifo`] }).output();
  const vfs = hostVfs(hostFs(), { root: top });
  assert.equal((await vfs.stat("fifo")).kind, "other");
  await fails(vfs.read("fifo"), "EINVAL", "fifo");
  await fails(vfs.write("fifo"), "EINVAL", "fifo");
  await fails(vfs.read("/dev/zero"), "EINVAL", "/dev/zero");
  await fails(vfs.remove("/", { recursive: true }), "EBUSY", "/");
  await Deno.remove(top, { recursive: true });
});

Deno.test("hostVfs names the permission of Deno that is missing", async () => {
  const code = `
    import { hostFs } from "${import.meta.resolve("../sys/mod.ts")}";
    import { hostVfs } from "${import.meta.resolve("./mod.ts")}";
    const vfs = hostVfs(hostFs(), { root: "/tmp" });
    await vfs.read("/etc/passwd").catch((error) => console.log(error.code, error.message));
    const confined = hostVfs(hostFs(), { root: "/tmp", allow: ["/tmp"] });
    await confined.read("/etc/passwd").catch((error) => console.log(error.code, error.message));
  `;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--allow-read=/tmp", "--ext=ts", "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(code));
  await writer.close();
  const { stdout, stderr } = await child.output();
  assert.equal(new TextDecoder().decode(stderr), "");
  assert.deepEqual(new TextDecoder().decode(stdout).trim().split("\n"), [
    "EACCES Cannot read /etc/passwd: permission --allow-read=/etc/passwd is missing " +
    "(add it to the flags of deno run; if this was installed, install it again with the flag)",
    "EACCES Cannot read /etc/passwd: it is outside the allowed folders (/tmp)",
  ]);
});

Deno.test("hostVfs wants absolute folders", () => {
  assert.throws(() => hostVfs(hostFs(), { root: "a" }), {
    name: "TypeError",
    message: 'Cannot use "a": give an absolute path',
  });
  assert.throws(() => hostVfs(hostFs(), { root: "/", allow: [""] }), TypeError);
});

Deno.test("hostVfs with writable folders reads everything else and changes nothing there", async () => {
  await confined(async (_, top) => {
    const vfs = hostVfs(hostFs(), { root: `${top}/in`, writable: [`${top}/in/sub`] });
    assert.equal(await textOf(vfs, "absolute"), "secret");
    assert.equal(await textOf(vfs, "../out/secret"), "secret");
    await put(vfs, "sub/new", "fine");
    const outside = ["absolute", "folder/new", "dangling", "sub/../file", `${top}/out/secret`];
    for (const path of outside) {
      await fails(vfs.write(path), "EACCES", path);
      await fails(vfs.mkdir(path, { parents: true }), "EACCES", path);
      await fails(vfs.check(path, "write"), "EACCES", path);
      await vfs.check(path, "read");
    }
    await fails(vfs.rename("sub/file", "moved"), "EACCES");
    await fails(vfs.rename("inside", "sub/moved"), "EACCES");
    await fails(vfs.remove("inside"), "EACCES", "inside");
    await fails(vfs.remove("sub", { recursive: true }), "EBUSY", "sub");
    await fails(vfs.write("inside/../../x"), "EACCES");
    const message =
      `Cannot write x: it is outside the folders that may be written to (${top}/in/sub)`;
    await assert.rejects(vfs.write("x"), { message });
    assert.deepEqual(await names(vfs, "../out"), ["file secret"]);
  });
});

Deno.test("hostVfs shows what is visible in a hidden folder", async () => {
  await confined(async (_, top) => {
    await Deno.mkdir(`${top}/out/seen`);
    await Deno.writeTextFile(`${top}/out/seen/a`, "a");
    const vfs = hostVfs(hostFs(), {
      root: `${top}/in`,
      hidden: [`${top}/out`],
      visible: [`${top}/out/seen`],
    });
    assert.equal(await textOf(vfs, "folder/seen/a"), "a");
    await fails(vfs.read("folder/secret"), "EACCES");
    await fails(vfs.read("folder/seen/../secret"), "EACCES");
  });
});

Deno.test("hostVfs asks for what is beyond, and says what the answer was", async () => {
  await confined(async (_, top) => {
    const requests: BeyondRequest[] = [];
    let answer: string | undefined = "the user said no";
    const bounded = hostVfs(hostFs(), {
      root: `${top}/in`,
      writable: [`${top}/in`],
      hidden: [`${top}/out`],
    });
    const vfs = bounded.asking((request) => {
      requests.push(request);
      return Promise.resolve(answer);
    });
    await put(vfs, "x", "x");
    assert.equal(requests.length, 0);
    const message = `Cannot read absolute: ${top}/out is hidden from these tools; the user said no`;
    await assert.rejects(vfs.read("absolute"), { message });
    assert.deepEqual(requests, [{
      reason: "hidden",
      why: `${top}/out is hidden from these tools`,
      access: "read",
      given: "absolute",
      path: `${top}/out/secret`,
    }]);
    answer = undefined;
    assert.equal(await textOf(vfs, "absolute"), "secret");
    await put(vfs, "../y", "y");
    const last = requests.at(-1);
    assert.deepEqual([last?.reason, last?.access], ["outside", "write"]);
    await fails(bounded.read("absolute"), "EACCES");
  });
});
