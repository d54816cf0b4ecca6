/**
 * Records of the runs, and their patches.
 *
 * @module
 */
export { keepTime, maxRuns, RunLog, type RunLogPorts } from "./run_log.ts";
export { type RunRecord, type RunState } from "./run_record.ts";
