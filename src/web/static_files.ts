/**
 * What a page may do: use its own modules and style sheets, ask this server, and nothing else: no
 * frame, no form, no worker, no image from elsewhere, no script or style in the markup, no text that
 * becomes markup or script.
 *
 * `'self'` means those files alone: the server answers with JSON or events otherwise, which
 * `nosniff` keeps from being taken for a script or a style sheet.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "worker-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};

/** A page, with the policy that its browser keeps. */
export function htmlPage(html: string): Response {
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
    },
  });
}

/** A file as it is sent. */
interface Entity {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Made of the bytes. */
  readonly etag: string;
}

/** The style sheets and modules of a page, by their names. */
export class StaticFiles {
  readonly #files: ReadonlyMap<string, string>;
  readonly #entities = new Map<string, Promise<Entity>>();

  constructor(files: ReadonlyMap<string, string>) {
    this.#files = files;
  }

  /**
   * A file by its name; `undefined` if there is none. Browsers may keep it, but ask each time
   * whether it is still the same: a newer server is not shown with an older page.
   *
   * @param ifNoneMatch The header `If-None-Match` of the request.
   */
  async get(name: string, ifNoneMatch: string | undefined): Promise<Response | undefined> {
    const entity = await this.#entity(name);
    if (entity === undefined) return undefined;
    const { bytes, etag } = entity;
    const headers = { "cache-control": "no-cache", etag };
    if (isAmong(etag, ifNoneMatch)) return new Response(null, { status: 304, headers });
    return new Response(bytes, {
      headers: {
        ...headers,
        "content-type": TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
        // Given, as the answer to HEAD would have 0 otherwise.
        "content-length": String(bytes.length),
      },
    });
  }

  /** A file as it is sent, made once. */
  #entity(name: string): Promise<Entity> | undefined {
    const text = this.#files.get(name);
    if (text === undefined) return undefined;
    const entity = this.#entities.get(name) ?? makeEntity(text);
    this.#entities.set(name, entity);
    return entity;
  }
}

async function makeEntity(text: string): Promise<Entity> {
  const bytes = new TextEncoder().encode(text);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return { bytes, etag: `"${btoa(String.fromCharCode(...hash))}"` };
}

/** Whether a list of entity tags has that one, by weak comparison (RFC 9110, section 13.1.2). */
function isAmong(etag: string, list: string | undefined): boolean {
  return (list ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
}
