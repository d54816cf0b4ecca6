import { processHost } from "../sys/mod.ts";
import type { ExistingPath } from "./_existing_paths.ts";
import { RUN_KEPT } from "./_secret_paths.ts";

/** Folders of a command inside the sandbox. */
export interface BwrapPlace {
  /** The folder that the command starts in. */
  readonly cwd: string;
  /** Folders that can be written to, besides /tmp. */
  readonly writable: readonly string[];
  /** Folder of the host that is /tmp inside; a fresh empty one if absent. */
  readonly tmp?: string | undefined;
  /** Further folders that are visible at their own paths, read-only. */
  readonly binds: readonly string[];
  /** Hidden files and folders. */
  readonly hidden: readonly ExistingPath[];
  /** Writable folders that stay visible inside hidden folders, which show nothing else. */
  readonly shown?: readonly string[] | undefined;
}

/**
 * The arguments of `bwrap` before the command. The order matters, because later mounts cover
 * earlier ones: the read-only system, the private folders, the writable folders, and last the
 * hidden paths, outer ones first, each with its visible folders.
 *
 * A command could rename a writable folder that contains a hidden path, and the next command would
 * see everything under the new name. So each such folder is mounted on itself: a mount point can't
 * be renamed.
 *
 * `--new-session` keeps signals that a command sends to its own process group (`kill 0`) from
 * reaching bwrap. A command at a terminal must not get that option, because it would lose the
 * terminal; instead a filter of system calls, on descriptor 3, keeps it from typing for the user.
 */
export function bwrapArguments(
  sandbox: { readonly network: boolean; readonly visible?: readonly string[] | undefined },
  place: BwrapPlace,
  { terminal = false, joins }: {
    /** True if the command uses this process's terminal. */
    readonly terminal?: boolean | undefined;
    /**
     * The namespaces that it joins: always that of processes, optionally a network. `id` is the
     * command's id; it names a mount by which the command's processes are recognised.
     */
    readonly joins?: { readonly id: string; readonly network: boolean } | undefined;
  } = {},
): string[] {
  const args = ["--die-with-parent", "--unshare-ipc", "--cap-drop", "ALL"];
  if (terminal) args.push("--seccomp", "3");
  else args.push("--new-session");
  if (joins === undefined) args.push("--unshare-pid");
  if (!sandbox.network && joins?.network !== true) args.push("--unshare-net");
  // Without these, root could not even write files of the user who called sudo.
  if (processHost().uid === 0) {
    for (const capability of ["CAP_DAC_OVERRIDE", "CAP_CHOWN", "CAP_FOWNER"]) {
      args.push("--cap-add", capability);
    }
  }
  if (sandbox.visible === undefined) args.push("--ro-bind", "/", "/");
  else for (const path of SYSTEM) args.push("--ro-bind-try", path, path);
  args.push("--dev", "/dev", "--proc", "/proc");
  // Read-only, because root owns the files of the kernel's settings, and needs no capability to
  // change them.
  args.push("--ro-bind", "/proc/sys", "/proc/sys", "--tmpfs", "/run");
  for (const path of RUN_KEPT) args.push("--ro-bind-try", path, path);
  if (joins !== undefined) args.push("--ro-bind", "/dev/null", `/run/llmcmd/${joins.id}`);
  if (place.tmp === undefined) args.push("--tmpfs", "/tmp");
  else args.push("--bind", place.tmp, "/tmp");
  for (const path of place.binds) args.push("--ro-bind", path, path);
  for (const path of place.writable) args.push("--bind", path, path);
  for (const path of foldersToHold(place)) args.push("--bind", path, path);
  args.push(...hide(place));
  // Without the host's root, / is a file system in memory; all mounts in it are made by now.
  if (sandbox.visible !== undefined) args.push("--remount-ro", "/run", "--remount-ro", "/");
  args.push("--chdir", place.cwd, "--");
  return args;
}

/**
 * Paths that programs need to start: programs and libraries, and the parts of /etc without secrets,
 * to find names of users and hosts, time zones and certificates.
 */
const SYSTEM: readonly string[] = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/nix/store",
  "/etc/alternatives",
  "/etc/group",
  "/etc/hosts",
  "/etc/ld.so.cache",
  "/etc/localtime",
  "/etc/nsswitch.conf",
  "/etc/passwd",
  "/etc/pki/tls/certs",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
];

/** The mounts that hide the hidden paths. */
function hide(place: BwrapPlace): string[] {
  const args: string[] = [];
  const outerFirst = [...place.hidden].sort((a, b) => a.path.length - b.path.length);
  for (const { path, folder } of outerFirst) {
    if (isCovered(path, place)) continue;
    if (!folder) {
      args.push("--ro-bind", "/dev/null", path);
      continue;
    }
    args.push("--tmpfs", path);
    for (const shown of place.shown ?? []) {
      if (!shown.startsWith(`${path}/`)) continue;
      args.push("--bind", shown, shown);
      for (const held of foldersToHold({ ...place, writable: [shown] })) {
        args.push("--bind", held, held);
      }
    }
    args.push("--remount-ro", path);
  }
  return args;
}

/** True if the innermost hidden or shown folder around a path is a hidden one. */
function isCovered(path: string, { hidden, shown = [] }: BwrapPlace): boolean {
  const innermost = (folders: readonly string[]) =>
    Math.max(0, ...folders.map((folder) => path.startsWith(`${folder}/`) ? folder.length : 0));
  const within = innermost(hidden.flatMap(({ path, folder }) => folder ? [path] : []));
  return within > 0 && within >= innermost(shown);
}

/** The folders between writable folders and hidden paths inside them, outer ones first. */
function foldersToHold({ writable, hidden }: BwrapPlace): string[] {
  const folders = new Set<string>();
  for (const { path } of hidden) {
    const top = writable.find((folder) => path.startsWith(`${folder}/`));
    if (top === undefined) continue;
    for (let end = path.lastIndexOf("/"); end > top.length; end = path.lastIndexOf("/", end - 1)) {
      folders.add(path.slice(0, end));
    }
  }
  return [...folders].sort((a, b) => a.length - b.length);
}
