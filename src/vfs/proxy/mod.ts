/**
 * The FS proxy protocol: files over a pair of sockets, for a child that may not open files itself.
 *
 * `serve()` runs on the side with the files, `connect()` on the side that uses them. A client is a
 * `Vfs` as well, so a proxy between two others is `serve(await connect(up), down)`. The protocol
 * does not decide what a client may access: the served `Vfs` does.
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
