/** The version of this package; a test compares it with `deno.json`. */
export const VERSION = "0.1.0";
