/**
 * The table of settings: variables, rules, defaults and meanings. It does not read the environment
 * or files, which `configuration/` does; help pages load it and must stay light.
 *
 * @module
 */
export { ConfigError } from "./config_error.ts";
export { helpOf, variablesOf, variableTerms } from "./described.ts";
export { DEFAULT_BASE_URL, Refused } from "./rules.ts";
export {
  nameOf,
  namesOf,
  type Reader,
  type Setting,
  type SettingWithDefault,
  usualOf,
} from "./setting.ts";
export { parseSize, SIZES } from "./sizes.ts";
export { ROWS, SETTINGS } from "./table.ts";
