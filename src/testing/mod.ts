/**
 * Doubles for the tests of programs that use this library: {@linkcode mockClient}, a model that
 * answers from a script, and {@linkcode PoisonSource}, which finds readers that keep a lent chunk.
 *
 * It is for users' own tests. No other room imports it, and it brings neither assertions nor a test
 * runner. Files, sessions and descriptors in memory are parts of the library itself: `memoryVfs()`,
 * `memorySessionStore()`, `memorySource()` and `MemorySink`.
 *
 * @module
 */
export { type MockClient, mockClient, type MockClientOptions } from "./mock_client.ts";
export { type ChunkSizes, PoisonSource } from "./poison_source.ts";
