import type { Context } from "hono";
import { type Security, strictCookie, tokenCookieName } from "../http/mod.ts";
import { sharedFiles } from "../page/mod.ts";
import { BROWSER_COOKIE, browserOf } from "./browser.ts";
import { chatPage, pageFiles } from "./page/page.ts";
import { refuse } from "./refusal.ts";

/** Handlers of the routes of the page and its files. */
export class PageHandlers {
  readonly #security: Security;
  readonly #base: string;

  /** @param base The path that the app is mounted at. */
  constructor(security: Security, base: string) {
    this.#security = security;
    this.#base = base;
  }

  /** `GET /`: the page, with the cookies that the browser does not have yet. */
  async page({ req: { raw, url: address } }: Context): Promise<Response> {
    const url = new URL(address);
    const pass = await this.#security.pass(url);
    const page = chatPage(this.#base, pass?.key);
    const setCookie = (name: string, value: string) =>
      page.headers.append("set-cookie", strictCookie(name, value, url, this.#base));
    if (pass !== undefined) setCookie(tokenCookieName(raw, url), pass.cookie);
    const { owner, isNew } = browserOf(raw);
    if (isNew) setCookie(BROWSER_COOKIE, owner);
    return page;
  }

  /** `GET /chat/page/:name` */
  async file({ req }: Context): Promise<Response> {
    const name = req.param("name") ?? "";
    return await pageFiles.get(name, req.header("if-none-match")) ?? noFile(name);
  }

  /** `GET /page/:name` */
  async sharedFile({ req }: Context): Promise<Response> {
    const name = req.param("name") ?? "";
    return await sharedFiles.get(name, req.header("if-none-match")) ?? noFile(name);
  }
}

function noFile(name: string): Response {
  return refuse(404, `The page has no file ${name}`);
}
