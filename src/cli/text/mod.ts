/**
 * Text for people: columns, cuts to a width, counted things, notes about outputs.
 *
 * @module
 */
export { columnLines } from "./columns.ts";
export { counted } from "./counted.ts";
export { fit } from "./fit.ts";
export { emptiedNote, partialNote } from "./output_notes.ts";
