/**
 * The coding agent on this machine: its settings, files, shell and approvals.
 *
 * @module
 */
export {
  type OpenCoder,
  openCoder,
  type OpenCoderOptions,
  type TurnApprovals,
} from "./open_coder.ts";
