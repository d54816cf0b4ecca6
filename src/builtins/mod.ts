/** Text commands over streams of bytes. @module */
export * from "./builtin.ts";
export * from "./options.ts";
export * from "./help.ts";
