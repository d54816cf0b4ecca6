/**
 * The FS proxy protocol: files through a pair of sockets, for a child that may open none itself.
 *
 * `serve()` is the end that has the files, `connect()` the end that uses them; a client is a `Vfs`
 * again, so that a proxy between two others is `serve(await connect(up), down)`. It does not decide
 * what a client may touch: that is what the `Vfs` does which is served.
 *
 * @module
 */
export { connect, type ConnectOptions, type ProxyClient } from "./client.ts";
export { ProxyError } from "./errors.ts";
export type { LlmBudget, LlmOutcome, LlmQuota, LlmTask, ProxyLlm } from "./llm.ts";
export { type Duplex, type ErrorCode, type Extension, EXTENSIONS } from "./protocol.ts";
export {
  defaultServeLimits,
  type ProxyEvent,
  serve,
  type ServeLimits,
  type ServeOptions,
  type ServeSummary,
} from "./server.ts";
export {
  type ProxyClientRow,
  type ProxyFileRow,
  type ProxyServer,
  proxyServer,
  type ProxyTables,
} from "./proxy_server.ts";
export type { ProxyStdio } from "./stdio.ts";
