import { hexadecimal, sameSecret } from "../../base/mod.ts";

/** Decides which requests are answered. */
export interface SecurityOptions {
  /**
   * Names in the `Host` header, without port, that are answered besides those of the loopback
   * interface; `"any"` where a token protects a server whose names are not known.
   */
  readonly hosts?: readonly string[] | "any" | undefined;
  /**
   * The token that every request must have, as `Authorization: Bearer`. `GET /?token=TOKEN` gives a
   * browser two substitutes: a cookie that lets it load the page, and a key that the page sends with
   * its requests.
   */
  readonly token?: string | undefined;
  /**
   * Explains how to allow another host name, to clients that have the token. Absent: they get the
   * same refusal as others.
   */
  readonly howToAllow?: ((host: string) => string) | undefined;
}

/** The substitutes for the token. Neither reveals the token or the other one. */
export interface Pass {
  /** The value of the cookie that lets a browser load the page. */
  readonly cookie: string;
  /** The bearer token of the page's requests. */
  readonly key: string;
}

/** The refusal of a request. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 415 | 421;
  readonly message: string;
}

/** The names of the loopback interface. */
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The name of the token's cookie. It has the port, because browsers send the cookies of a host to
 * all ports of it: two servers would replace each other's token.
 */
export function tokenCookieName(request: Request, url: URL): string {
  const port = /:(\d+)$/.exec(hostOf(request, url))?.[1] ?? (url.protocol === "https:" ? 443 : 80);
  return `llmcmd_token_${port}`;
}

/** Headers of every response: no content sniffing, framing, embedding or caching. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Adds those of the {@linkcode SECURITY_HEADERS} that a response does not have. */
export function addSecurityHeaders(headers: Headers): void {
  // A response with this header has all of them already: streams are made with them, which is
  // cheaper.
  if (headers.has("x-frame-options")) return;
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    if (!headers.has(name)) headers.set(name, value);
  }
}

/**
 * Decides whether a request may be answered. It protects against pages of other sites in the user's
 * browser, which can send requests here, and even read the answers if their own host name points to
 * this machine (DNS rebinding).
 *
 * - `Host` must be a name of this server.
 * - `Origin`, when there is one, must be this server. Browsers send it with every POST.
 * - `Sec-Fetch-Site` must not name another site, except when a link opens the page.
 * - A body must be JSON, which a page of another site can't send without a CORS preflight.
 *
 * A cookie alone gives no access to anything but the page, because browsers send it to every port
 * of the host: any program that the user opens in the same browser is shown it.
 */
export class Security {
  readonly #hosts: ReadonlySet<string> | "any";
  readonly #token: string | undefined;
  readonly #pass: Promise<Pass> | undefined;
  readonly #howToAllow: SecurityOptions["howToAllow"];

  constructor({ hosts = [], token, howToAllow }: SecurityOptions) {
    this.#hosts = hosts === "any"
      ? hosts
      : new Set([...LOOPBACK, ...hosts.map((host) => host.toLowerCase())]);
    this.#token = token;
    this.#pass = token === undefined ? undefined : passFor(token);
    this.#howToAllow = howToAllow;
  }

  /**
   * The refusal of a request, if it is refused.
   *
   * @param path Its path below the base of the app. Default: the path of the URL.
   */
  async refusal(
    request: Request,
    url: URL,
    path: string = url.pathname,
  ): Promise<Refusal | undefined> {
    const { headers, method } = request;
    const host = hostOf(request, url);
    if (!this.#knows(host)) return await this.#unknown(host, request, url, path);
    const origin = headers.get("origin")?.toLowerCase();
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
      return { status: 403, message: "Pages of other origins may not use this server" };
    }
    if (isForeign(headers) && !(method === "GET" && isNavigation(headers))) {
      return { status: 403, message: "Pages of other sites may not use this server" };
    }
    if (method !== "GET" && method !== "HEAD" && !isJsonOrNothing(headers)) {
      return { status: 415, message: "The body must be JSON: send content-type: application/json" };
    }
    if (
      this.#pass !== undefined && !await this.#isAuthorised(request, url, path, await this.#pass)
    ) {
      return { status: 401, message: NO_TOKEN };
    }
    return undefined;
  }

  /** The substitutes for the token, if the URL of the request has it. */
  async pass(url: URL): Promise<Pass | undefined> {
    const given = url.searchParams.get("token");
    return given !== null && this.#isToken(given) ? await this.#pass : undefined;
  }

  /** Pages that make their own name point here don't have the token. */
  async #unknown(host: string, request: Request, url: URL, path: string): Promise<Refusal> {
    const message = "This server does not answer to that host name";
    const [pass, howToAllow] = [await this.#pass, this.#howToAllow];
    if (pass === undefined || howToAllow === undefined || !/^[\w.:[\]-]+$/.test(host)) {
      return { status: 421, message };
    }
    if (!await this.#isAuthorised(request, url, path, pass)) return { status: 421, message };
    return { status: 421, message: `${message}: ${howToAllow(nameOf(host))}` };
  }

  #knows(host: string): boolean {
    return this.#hosts === "any" || this.#hosts.has(nameOf(host));
  }

  #isToken(text: string): boolean {
    return this.#token !== undefined && sameSecret(text, this.#token);
  }

  async #isAuthorised(
    request: Request,
    url: URL,
    path: string,
    pass: Pass,
  ): Promise<boolean> {
    const { headers, method } = request;
    const bearer = bearerOf(headers);
    if (bearer !== undefined) {
      return sameSecret(bearer, pass.key) || this.#isToken(bearer);
    }
    if (method !== "GET" && method !== "HEAD" || !isPage(path)) return false;
    const cookie = readCookie(headers, tokenCookieName(request, url));
    if (cookie !== undefined && sameSecret(cookie, pass.cookie)) return true;
    return path === "/" && await this.pass(url) !== undefined;
  }
}

/** Also for people, who open the page without the token. */
const NO_TOKEN = "The token is missing or wrong: open the address that the server printed";

/** The name and port that the request was sent to. */
function hostOf({ headers }: Request, url: URL): string {
  return (headers.get("host") ?? url.host).toLowerCase();
}

/** A host without its port. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, "").replace(/\.$/, "");
}

/** The key of `Authorization: Bearer KEY`. */
export function bearerOf(headers: Headers): string | undefined {
  return /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
}

/** The value of a cookie. */
export function readCookie(headers: Headers, name: string): string | undefined {
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * A cookie that scripts can't read and that other sites' requests don't carry.
 *
 * @param base The path that the app is mounted at; no other app of the origin gets the cookie.
 */
export function strictCookie(name: string, value: string, url: URL, base: string): string {
  const secure = url.protocol === "https:" ? "; Secure" : "";
  return `${name}=${value}; Path=${
    base || "/"
  }; Max-Age=31536000; HttpOnly; SameSite=Strict${secure}`;
}

/** True for the page and its files, which are the same for everybody and hold nothing of a chat. */
function isPage(path: string): boolean {
  return path === "/" || /^\/(?:chat\/)?page\//.test(path);
}

function isForeign(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}

/** A link or a typed address. Frames are forbidden by the headers anyway. */
function isNavigation(headers: Headers): boolean {
  return headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document";
}

function isJsonOrNothing(headers: Headers): boolean {
  const type = headers.get("content-type");
  if (type !== null) return /^application\/json\s*(;|$)/i.test(type.trim());
  const length = headers.get("content-length");
  return headers.get("transfer-encoding") === null && (length === null || length === "0");
}

async function passFor(token: string): Promise<Pass> {
  const [cookie, key] = await Promise.all([
    digest(`llmcmd serve ${token}`),
    digest(`llmcmd page ${token}`),
  ]);
  return { cookie, key };
}

async function digest(text: string): Promise<string> {
  const hash = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)),
  );
  return hexadecimal(hash);
}
