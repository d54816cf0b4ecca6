/**
 * llmcmd: an LLM that works inside Unix pipelines on sandboxed descriptors.
 *
 * This is the public surface for programs: byte streams and descriptors, the text builtins as
 * transform streams, the agent loop, the LLM client, and the `llmcmd` program itself as
 * {@linkcode run}. What speaks to the host (files, standard streams) is in `@llmcmd/llmcmd/sys`,
 * the mock LLM in `@llmcmd/llmcmd/mock` and its HTTP endpoint in `@llmcmd/llmcmd/web`.
 *
 * @module
 */
export * from "./src/streams/mod.ts";
export * from "./src/builtins/mod.ts";
export * from "./src/tool/mod.ts";
export * from "./src/llm/mod.ts";
export * from "./src/agent/mod.ts";
export * from "./src/llmcmd/mod.ts";
