/**
 * The registry of models: what an entry of `models.json` is, and the file that is read again when it
 * has changed.
 *
 * @module
 */
export { type AgentSandbox, type DriverName, driverNames, type ModelEntry } from "./entry.ts";
export { parseRegistry, type RegistryPlace } from "./parse_registry.ts";
export { type ModelRegistry, openRegistry, type RegistryFile } from "./registry.ts";
