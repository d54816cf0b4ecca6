import { envValue, privateFiles, privateFolder } from "../../sys/mod.ts";
import { usualStateFolder } from "./state_folder.ts";

/** Bytes of the path of a folder in which sockets can be: 103 without the longest name. */
const LONGEST = 70;

/** Where the sockets are by which persons join sessions. */
export interface AttachFolders {
  /** The folder for new sockets; `undefined` where there is no place for one. */
  readonly own: string | undefined;
  /** All folders that may have some. */
  readonly all: readonly string[];
  /** What commands must not see: the state folder, and those that are not in it. */
  readonly hidden: readonly string[];
}

/**
 * Finds them: in the state folder, which is the same for a server that a desktop starts and for a
 * terminal, and is hidden from commands in any case. Where its path is too long for a socket, in the
 * folder of XDG_RUNTIME_DIR, if that is private.
 */
export async function findAttachFolders(): Promise<AttachFolders> {
  const state = usualStateFolder();
  const runtime = envValue("XDG_RUNTIME_DIR");
  const usable = runtime?.startsWith("/") === true &&
    await privateFiles().isPrivate(runtime).catch(() => false);
  const inState = state === undefined ? [] : [`${state}/attach`];
  const inRuntime = usable ? [`${runtime}/llmcmd`] : [];
  const all = [...inState, ...inRuntime];
  return {
    own: all.find((path) => new TextEncoder().encode(path).length <= LONGEST),
    all,
    hidden: [...state === undefined ? [] : [state], ...inRuntime],
  };
}

/**
 * {@linkcode findAttachFolders}, with the one for new sockets made: what is hidden from a command must
 * be there when that starts.
 */
export async function attachFolders(): Promise<AttachFolders> {
  const folders = await findAttachFolders();
  // Whoever starts a session is told why it can't be joined.
  if (folders.own !== undefined) await privateFolder(folders.own).catch(() => {});
  return folders;
}
