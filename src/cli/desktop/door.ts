import { hexadecimal } from "../../base/mod.ts";
import { BROWSER_COOKIE } from "../../web/chat/mod.ts";
import type { FetchApp } from "../../web/http/mod.ts";

/** An address of the page that gives access once. */
export interface Invitation {
  readonly address: string;
  /** Resolves when the address has been used. */
  readonly accepted: Promise<void>;
}

/** Options of a {@linkcode DesktopDoor}. */
export interface DesktopDoorOptions {
  /** The token that the chat requires. */
  readonly token: string;
  /** The value of the browser cookie, under which the chat stores all sessions. */
  readonly owner: string;
}

/**
 * Gives a window access to the chat. A window gets its address on a command line, which other users
 * of the machine can read. So the address holds not the token but a key, which can be exchanged for
 * the token's cookie once.
 *
 * All requests count as from the same browser, because windows don't store their cookies.
 */
export class DesktopDoor implements FetchApp {
  readonly #app: FetchApp;
  readonly #options: DesktopDoorOptions;
  readonly #keys: Map<string, () => void> = new Map();

  constructor(app: FetchApp, options: DesktopDoorOptions) {
    this.#app = app;
    this.#options = options;
  }

  /** Makes an address for one window; `url` is the server's. Earlier addresses stop working. */
  invite(url: string): Invitation {
    const key = randomName();
    this.#keys.clear();
    const accepted = new Promise<void>((resolve) => this.#keys.set(key, resolve));
    return { address: `${url}/?key=${key}`, accepted };
  }

  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const headers = this.#withOwner(request.headers);
    const key = url.searchParams.get("key");
    const accept = key === null ? undefined : this.#keys.get(key);
    if (key === null || accept === undefined || request.method !== "GET" || url.pathname !== "/") {
      const { method, body } = request;
      return await this.#app.fetch(new Request(url, { method, headers, body }));
    }
    url.search = `?token=${encodeURIComponent(this.#options.token)}`;
    const response = await this.#app.fetch(new Request(url, { headers }));
    if (response.ok && this.#keys.delete(key)) accept();
    return response;
  }

  #withOwner(given: Headers): Headers {
    const headers = new Headers(given);
    const others = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim())
      .filter((pair) => pair !== "" && !pair.startsWith(`${BROWSER_COOKIE}=`));
    headers.set("cookie", [...others, `${BROWSER_COOKIE}=${this.#options.owner}`].join("; "));
    return headers;
  }
}

/** A name that cannot be guessed: 256 random bits in hexadecimal. */
export function randomName(): string {
  return hexadecimal(crypto.getRandomValues(new Uint8Array(32)));
}
