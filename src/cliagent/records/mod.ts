/**
 * What is known of the runs, and the patches that are kept of them.
 *
 * @module
 */
export { keepTime, maxRuns, RunLog, type RunLogPorts } from "./run_log.ts";
export { type RunRecord, type RunState } from "./run_record.ts";
