import html from "./page/index.html" with { type: "text" };

/** The page, and the policy that it needs. */
export interface ChatPage {
  readonly html: string;
  /** The value of `Content-Security-Policy`. */
  readonly policy: string;
}

let page: Promise<ChatPage> | undefined;

/**
 * The chat's page. Its policy allows its own scripts and styles by their hashes, requests to this
 * server, and nothing else: no frame, no form, no image from elsewhere, no text that becomes
 * markup.
 */
export function chatPage(): Promise<ChatPage> {
  return page ??= makePage();
}

async function makePage(): Promise<ChatPage> {
  const scripts = await Promise.all(contentsOf("script").map(hashSource));
  const styles = await Promise.all(contentsOf("style").map(hashSource));
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.join(" ")}`,
    `style-src ${styles.join(" ")}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return { html, policy };
}

/** What stands inside of all elements of a kind. */
function contentsOf(tag: "script" | "style"): string[] {
  return [...html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, "g"))]
    .map(([, content]) => content ?? "");
}

async function hashSource(content: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
}
