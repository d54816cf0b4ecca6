/**
 * Failures as exit statuses and messages: the only place that maps errors to statuses.
 *
 * @module
 */
export { type Failure, failureOf, failureOfRun, type RunEnd, STATUS } from "./exit_status.ts";
export { reportFailure } from "./report_failure.ts";
