/** The gateway's HTTP interface: local CLI agents behind the chat completions API. */
export { gatewayBeside } from "./beside.ts";
export { gatewayApp, type GatewayAppOptions } from "./gateway_app.ts";
