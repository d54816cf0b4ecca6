/** The clients whose configuration can be printed. */
export const CLIENTS = ["claude", "vscode", "codex"] as const;

/** A client of {@linkcode CLIENTS}. */
export type Client = typeof CLIENTS[number];

/** The part of a client's configuration file that starts `llmcmd` with these arguments. */
export function configFor(client: Client, args: readonly string[]): string {
  const command = "llmcmd";
  switch (client) {
    case "claude":
      return json({ mcpServers: { llmcmd: { command, args } } });
    case "vscode":
      return json({ servers: { llmcmd: { type: "stdio", command, args } } });
    case "codex":
      // A JSON string is a basic string of TOML.
      return `[mcp_servers.llmcmd]\ncommand = ${JSON.stringify(command)}\n` +
        `args = [${args.map((arg) => JSON.stringify(arg)).join(", ")}]\n`;
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
