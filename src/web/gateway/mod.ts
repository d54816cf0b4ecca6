/**
 * The gateway over HTTP, with its page: an app that offers local CLI agents behind OpenAI's chat
 * completions API. The gateway itself decides who may call what, and runs it.
 *
 * @module
 */
export { gatewayBeside } from "./beside.ts";
export { gatewayApp, type GatewayAppOptions } from "./gateway_app.ts";
