import { defineTool, type Tool, type ToolOptions } from "../tool/mod.ts";
import type { CliContext } from "./cli_context.ts";

/** Defines a tool that runs programs. Without a POSIX system each call fails and says so. */
export function posixTool<Input>(
  { host }: CliContext,
  options: ToolOptions<Input>,
): Tool<Input> {
  if (host.posix) return defineTool(options);
  return defineTool({
    ...options,
    execute: () => {
      throw new TypeError(
        "it needs a POSIX system, such as Linux, macOS or the Windows Subsystem for Linux",
      );
    },
  });
}
