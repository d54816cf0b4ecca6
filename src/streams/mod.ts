/** Streams of bytes behind descriptors. @module */
export * from "./source.ts";
