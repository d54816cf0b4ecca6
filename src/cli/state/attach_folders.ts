import { envValue, privateFiles, privateFolder } from "../../sys/mod.ts";
import { usualStateFolder } from "./state_folder.ts";

/** Most bytes of the path of a socket folder: 103, less the longest name of a socket. */
const LONGEST = 70;

/** The folders of the sockets by which people join sessions. */
export interface AttachFolders {
  /** The folder for new sockets; `undefined` if no place is suitable. */
  readonly own: string | undefined;
  /** All folders that may contain sockets. */
  readonly all: readonly string[];
  /** Folders that are hidden from commands: the state folder, and socket folders outside of it. */
  readonly hidden: readonly string[];
}

/**
 * Finds the socket folders. The state folder comes first: it is the same for a server that a
 * desktop starts and for a terminal, and is always hidden from commands. If its path is too long
 * for a socket, the folder is in XDG_RUNTIME_DIR, if that is private.
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
 * Like {@linkcode findAttachFolders}, but creates the folder for new sockets: a folder must exist
 * when a command starts to be hidden from it.
 */
export async function attachFolders(): Promise<AttachFolders> {
  const folders = await findAttachFolders();
  // The start of a session reports the error.
  if (folders.own !== undefined) await privateFolder(folders.own).catch(() => {});
  return folders;
}
