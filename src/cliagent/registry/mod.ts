/**
 * The registry of models: the entries of `models.json`, which is read again when it changes.
 *
 * @module
 */
export { type AgentSandbox, type DriverName, driverNames, type ModelEntry } from "./entry.ts";
export { parseRegistry, type RegistryPlace } from "./parse_registry.ts";
export { type ModelRegistry, openRegistry, type RegistryFile } from "./registry.ts";
