/**
 * The numbers that the model can name, and what is behind them: inputs, the output, and the ends of
 * pipes.
 *
 * @module
 */
export { Descriptors, type NamedInput, type PipeEnds, type Writable } from "./descriptors.ts";
export { Flow } from "./flow.ts";
export { OutputError } from "./output.ts";
