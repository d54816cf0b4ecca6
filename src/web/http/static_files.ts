/**
 * A page may use its own modules and style sheets and ask this server, and nothing else: no frame, no
 * form, no worker, no image from elsewhere, no script or style in the markup, no text that becomes
 * markup or script.
 *
 * `'self'` allows these files alone: all other answers are JSON or events, and `nosniff` keeps a
 * browser from taking them for scripts or style sheets.
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

/**
 * A page with its security policy.
 *
 * @param html Names files by relative addresses.
 * @param base The path that the app is mounted at. The addresses are then below it, with and without a
 * slash at the end of the page's own address.
 */
export function htmlPage(html: string, base: string): Response {
  const mounted = base === ""
    ? html
    : html.replace(/(\s(?:src|href)=")(?=[a-z_]+\/)/g, `$1${base}/`);
  return new Response(mounted, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
    },
  });
}

/** The body of a file and its tag. */
interface Entity {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A hash of the bytes. */
  readonly etag: string;
}

/** The style sheets and modules of a page, by their names. */
export class StaticFiles {
  readonly #files: ReadonlyMap<string, string>;
  readonly #entities = new Map<string, Promise<Entity>>();

  constructor(files: ReadonlyMap<string, string>) {
    this.#files = files;
  }

  /** The names of the files. */
  get names(): string[] {
    return [...this.#files.keys()];
  }

  /**
   * A file by its name; `undefined` if there is none. Browsers cache it but revalidate each time, so
   * that an older page never meets a newer server.
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
        // Without it the answer to HEAD would say 0.
        "content-length": String(bytes.length),
      },
    });
  }

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

/** Looks for an entity tag in a list, by weak comparison (RFC 9110, section 13.1.2). */
function isAmong(etag: string, list: string | undefined): boolean {
  return (list ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
}
