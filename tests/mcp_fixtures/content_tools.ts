import type { FixtureTool } from "./fixture_tool.ts";
import { AUDIO, IMAGE } from "./media.ts";

/** The suite's tools with content other than text. */
export const CONTENT_TOOLS: readonly FixtureTool[] = [
  {
    name: "test_image_content",
    description: "Returns a picture",
    call: () => ({ content: [{ type: "image", ...IMAGE }] }),
  },
  {
    name: "test_audio_content",
    description: "Returns a sound",
    call: () => ({ content: [{ type: "audio", ...AUDIO }] }),
  },
  {
    name: "test_embedded_resource",
    description: "Returns a resource",
    call: () => ({
      content: [{
        type: "resource",
        resource: {
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content.",
        },
      }],
    }),
  },
  {
    name: "test_multiple_content_types",
    description: "Returns text, a picture and a resource",
    call: () => ({
      content: [
        { type: "text", text: "Multiple content types test:" },
        { type: "image", ...IMAGE },
        {
          type: "resource",
          resource: {
            uri: "test://mixed-content-resource",
            mimeType: "application/json",
            text: JSON.stringify({ test: "data", value: 123 }),
          },
        },
      ],
    }),
  },
];
