import type { Apart } from "./_apart.ts";
import { NamespaceHolder } from "./_namespace_holder.ts";

/**
 * The namespaces that the commands of a session share. They are made for the first command, and
 * again if they have ended.
 */
export class SharedNamespaces {
  readonly #network: boolean;
  readonly #folders: () => Promise<readonly string[]>;
  #holder: Promise<NamespaceHolder | undefined> | undefined;
  #usable = true;
  #withNetwork: boolean;

  /**
   * @param network True if commands use the network of this machine, and so need none to share.
   * @param folders The folders to remove at the end.
   */
  constructor(network: boolean, folders: () => Promise<readonly string[]>) {
    this.#network = network;
    this.#withNetwork = !network;
    this.#folders = folders;
  }

  /** The holder that a new command joins; `undefined` if joining is not possible. */
  async holder(): Promise<NamespaceHolder | undefined> {
    if (!this.#usable) return undefined;
    const holder = await (this.#holder ??= this.#start());
    if (holder?.over !== true) return holder;
    // It ended before the session did, because something killed it.
    await holder.end("leave");
    this.#holder = undefined;
    return await this.holder();
  }

  /** Reports that a command could not join, and runs in namespaces of its own. */
  async doubt(holder: NamespaceHolder): Promise<void> {
    if (holder.joined || holder.over) return;
    this.#usable = false;
    await holder.end("leave");
  }

  /** Resources that a command with the given holder, or without one, does not share. */
  apart(holder: NamespaceHolder | undefined): Apart {
    return [
      ...holder === undefined ? ["processes"] as const : [],
      ...this.#network || holder?.network === true ? [] : ["network"] as const,
    ];
  }

  /** Kills everything in the namespaces. */
  async end(): Promise<void> {
    this.#usable = false;
    const holder = await this.#holder;
    await holder?.end();
  }

  async #start(): Promise<NamespaceHolder | undefined> {
    const folders = await this.#folders();
    const start = async () =>
      await NamespaceHolder.start(this.#withNetwork, folders).catch(() => undefined);
    const holder = await start();
    if (holder !== undefined || !this.#withNetwork) {
      this.#usable = holder !== undefined;
      return holder;
    }
    this.#withNetwork = false;
    return await this.#start();
  }
}
