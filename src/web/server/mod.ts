/**
 * Several apps on one server, each at a path of its own.
 *
 * @module
 */
export { type Mount, serverApp } from "./server_app.ts";
