/**
 * The four tools as the model sees them (docs/llmcmd.md). The JSON schemas stand here as they are sent,
 * so that the first request can be made before the schemas that check input and the builtins are
 * loaded; a test compares the two kinds of schemas.
 */
import { builtinNames } from "../../builtins/mod.ts";
import type { ToolSpec } from "../../tool/mod.ts";
import type { LlmcmdLimits } from "../limits.ts";

/** Most bytes of one `read`. */
export const MAX_READ = 64 * 1024;

/** Bytes of one `read` if the model does not say. */
export function defaultReadSize({ readBufferSize }: LlmcmdLimits): number {
  return Math.min(readBufferSize, MAX_READ);
}

/** The `read` tool. */
export function readSpec(limits: LlmcmdLimits): ToolSpec {
  return {
    name: "read",
    description: "Reads bytes of an input or of the read end of a pipe. Returns input (text), " +
      "next_offset, eof, size (bytes) and error. Bytes that are not UTF-8 come as base64 with " +
      '"encoding":"base64"; iconv in a pipe makes other encodings UTF-8. ' +
      `Default max_size is ${defaultReadSize(limits)}. ` +
      "eof false with size 0 means: the pipe waits for your write.",
    parameters: object({
      fd: integer("Descriptor to read. Default 0 (stdin)"),
      offset: integer(
        "Byte to start at. Default: where the last read of this fd ended. The end of a pipe only " +
          "goes forward, or back within its last 64 KiB",
      ),
      max_size: integer("Most bytes to read, 1 to 65536"),
    }),
  };
}

/** The `write` tool. */
export const WRITE_SPEC: ToolSpec = {
  name: "write",
  description: "Appends text to the output (fd 1) or to a pipe made without in_fd. " +
    "With fd before data, the text reaches the output while you write it. " +
    "Returns success, size (bytes written) and error.",
  parameters: object({
    fd: integer("Descriptor to write to. Default 1 (the output)"),
    data: { description: "Text to append, exactly as it should appear", type: "string" },
    eof: {
      description: "True closes the write end of a pipe after data, so that its command can finish",
      type: "boolean",
    },
  }),
};

/** The `pipe` tool. */
export const PIPE_SPEC: ToolSpec = {
  name: "pipe",
  description:
    "Runs built-in commands on the data of descriptors, of any size, without reading it " +
    `into this conversation. Commands: ${builtinNames.join(", ")}; no others, such as awk. ` +
    "File operands are inputs: /dev/fd/N or the input's name; - is in_fd. " +
    "With in_fd or named inputs, and an open out_fd, it runs to the end and returns size (bytes written), status (one a command) and stderr. Otherwise it returns at once: in_fd " +
    "is the write end and out_fd the end to read or pipe from next.",
  parameters: object({
    cmd: {
      description: "Command with its arguments, quoted as in sh, or several joined by |: " +
        "grep -i 'disk full' | sort | head -n 5, or diff - /dev/fd/4. No other shell syntax: no " +
        "$x, $(), >, <, ; or &&. Default cat",
      type: "string",
    },
    in_fd: integer(
      "Descriptor to take all data from. Not needed where the first command names all its inputs; " +
        "else without it the pipe gets its data from your write calls",
    ),
    out_fd: integer(
      "Descriptor to write to: 1 for the output. Without it, or with an unused number, a new " +
        "pipe is made",
    ),
  }),
};

/** The `exit` tool. */
export const EXIT_SPEC: ToolSpec = {
  name: "exit",
  description: "Ends the program when the task is done, or cannot be done (code 1 to 255).",
  parameters: object({
    code: { ...integer("0 is success. Default 0"), minimum: 0, maximum: 255 },
  }),
};

function object(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: "object", properties, additionalProperties: false };
}

function integer(description: string): Record<string, unknown> {
  return { description, type: "integer" };
}
