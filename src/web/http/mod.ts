/**
 * The parts that all web apps share: reading bodies, streaming events, checking who may ask, serving
 * the files of a page, and the path that an app is mounted at.
 *
 * It knows no app. It does not listen on a port, and reads no files and no environment.
 *
 * @module
 */
export { basePath, pathBelow } from "./base_path.ts";
export type { FetchApp } from "./fetch_app.ts";
export { BodyError, type BodyLimits, parseBody, readBody } from "./http_body.ts";
export {
  addSecurityHeaders,
  bearerOf,
  readCookie,
  Security,
  SECURITY_HEADERS,
  type SecurityOptions,
  strictCookie,
  tokenCookieName,
} from "./security.ts";
export { type BodySource, SSE_HEADERS, sseBody, type SseBodyOptions } from "./sse_body.ts";
export { htmlPage, StaticFiles } from "./static_files.ts";
