/**
 * The user's state folder: its path, the key of servers in it, and the sockets of sessions that
 * people can join.
 *
 * @module
 */
export { type AttachFolders, attachFolders, findAttachFolders } from "./attach_folders.ts";
export { usualStateFolder } from "./state_folder.ts";
export { type StateKey, stateKey } from "./state_key.ts";
