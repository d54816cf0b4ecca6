import type * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import type { InputSchema } from "../tool/mod.ts";

const { localeError } = en();

/**
 * A schema of zod's small variant as the input of a tool: it loads in a third of the time. Its
 * messages are zod's English ones, whatever language the program that uses this library set.
 */
export function inputSchema<Input>(schema: z.ZodMiniType<Input>): InputSchema<Input> {
  return {
    "~standard": {
      version: 1,
      vendor: "zod",
      validate(value) {
        const { data, error } = schema.safeParse(value, { error: localeError });
        return error === undefined ? { value: data } : { issues: error.issues };
      },
    },
  };
}
