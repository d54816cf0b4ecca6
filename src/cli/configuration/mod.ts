/**
 * Reads the settings of a command from the environment and the configuration files.
 *
 * @module
 */
export { type EndpointValues, endpointValues, type Patience } from "./endpoint_values.ts";
export {
  missingKey,
  type ReadSettings,
  readSettings,
  type SettingOptions,
} from "./read_settings.ts";
export { usualFiles } from "./usual_files.ts";
export { SettingValues } from "./values.ts";
