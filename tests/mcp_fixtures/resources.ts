import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { IMAGE } from "./media.ts";

/** Registers the suite's resources. */
export function registerResources(server: McpServer): void {
  const texts = {
    "static-text": "This is the content of the static text resource.",
    "watched-resource": "Watched resource content",
  };
  for (const [name, text] of Object.entries(texts)) {
    const uri = `test://${name}`;
    const mimeType = "text/plain";
    server.registerResource(name, uri, { description: "A text", mimeType }, () => ({
      contents: [{ uri, mimeType, text }],
    }));
  }
  const { mimeType, data } = IMAGE;
  const uri = "test://static-binary";
  server.registerResource("static-binary", uri, { description: "A picture", mimeType }, () => ({
    contents: [{ uri, mimeType, blob: data }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  const about = { description: "Data of an id", mimeType: "application/json" };
  server.registerResource("template", template, about, ({ href }, { id }) => ({
    contents: [{
      uri: href,
      mimeType: about.mimeType,
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    }],
  }));
  server.server.registerCapabilities({ resources: { subscribe: true } });
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
}
