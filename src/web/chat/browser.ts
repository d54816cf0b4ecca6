import { readCookie } from "../http/mod.ts";

/** The cookie that identifies a browser; its value is 16 to 64 letters, digits and hyphens. */
export const BROWSER_COOKIE = "llmcmd_browser";

/** The browser of a request; a new name for one without the cookie. */
export function browserOf(request: Request): { owner: string; isNew: boolean } {
  const cookie = readCookie(request.headers, BROWSER_COOKIE);
  return cookie !== undefined && /^[A-Za-z0-9-]{16,64}$/.test(cookie)
    ? { owner: cookie, isNew: false }
    : { owner: crypto.randomUUID(), isNew: true };
}
