export * from "./wire.ts";
export type * from "./client.ts";
