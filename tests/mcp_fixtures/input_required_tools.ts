import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { isRecord } from "../../src/base/mod.ts";
import { type FixtureTool, text } from "./fixture_tool.ts";

const state = createRequestStateCodec<{ round: number }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

/** The round in a request's state, 0 without one. Throws if the state is not ours. */
async function roundOf(context: ServerContext): Promise<number> {
  const given = context.mcpReq.requestState<unknown>();
  if (given === undefined) return 0;
  try {
    return (await state.verify(String(given), context)).round;
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState");
  }
}

const NAME = z.object({ name: z.string() });
const OK = z.object({ ok: z.boolean() });
const COLOR = z.object({ color: z.string() });

const askName = (message = "What is your name?") =>
  inputRequired.elicit({ message, requestedSchema: NAME });
const askModel = (question: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: question } }],
    maxTokens: 100,
  });

/** A tool that needs the client's model before it answers. */
function modelTool(name: string, key: string): FixtureTool {
  return {
    name,
    description: "Asks the client's model, in a second round",
    call(_input, { mcpReq }) {
      const answer = inputResponse(mcpReq.inputResponses, key);
      if (answer.kind === "sampling") return text(JSON.stringify(answer.result.content));
      const inputRequests = { [key]: askModel("What is the capital of France?") };
      return Promise.resolve(inputRequired({ inputRequests }));
    },
  };
}

/** A tool that needs a confirmation, and issues a state that the client must return. */
function confirmTool(name: string): FixtureTool {
  return {
    name,
    description: "Asks for a confirmation, with a state",
    async call(_input, context) {
      const round = await roundOf(context);
      const confirmed = acceptedContent(context.mcpReq.inputResponses, "confirm", OK);
      if (round === 1 && confirmed !== undefined) return text("state-ok");
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({ message: "Please confirm", requestedSchema: OK }),
        },
        requestState: await state.mint({ round: 1 }),
      });
    },
  };
}

/** The suite's tools that need input as of revision 2026-07-28: by a result that is not final. */
export const INPUT_REQUIRED_TOOLS: readonly FixtureTool[] = [
  {
    name: "test_input_required_result_elicitation",
    description: "Asks for a name",
    call(_input, { mcpReq }) {
      const given = acceptedContent(mcpReq.inputResponses, "user_name", NAME);
      if (given !== undefined) return text(`Hello, ${given.name}!`);
      return Promise.resolve(inputRequired({ inputRequests: { user_name: askName() } }));
    },
  },
  modelTool("test_input_required_result_sampling", "capital_question"),
  // The scenario declares no sampling, so the call is refused.
  modelTool("test_missing_capability", "answer"),
  {
    name: "test_input_required_result_list_roots",
    description: "Asks for the client's roots",
    call(_input, { mcpReq }) {
      const answer = inputResponse(mcpReq.inputResponses, "client_roots");
      if (answer.kind === "roots") return text(answer.roots.map(({ uri }) => uri).join(", "));
      const inputRequests = { client_roots: inputRequired.listRoots() };
      return Promise.resolve(inputRequired({ inputRequests }));
    },
  },
  confirmTool("test_input_required_result_request_state"),
  confirmTool("test_input_required_result_tampered_state"),
  {
    name: "test_input_required_result_multiple_inputs",
    description: "Asks for three things at once",
    async call(_input, context) {
      const { inputResponses } = context.mcpReq;
      const round = await roundOf(context);
      const given = acceptedContent(inputResponses, "user_name", NAME);
      const greeting = inputResponse(inputResponses, "greeting");
      const roots = inputResponse(inputResponses, "client_roots");
      const all = given !== undefined && greeting.kind === "sampling" && roots.kind === "roots";
      if (round === 1 && all) return text(`Hello, ${given.name}, of ${roots.roots.length} roots`);
      return inputRequired({
        inputRequests: {
          user_name: askName(),
          greeting: askModel("Generate a greeting"),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await state.mint({ round: 1 }),
      });
    },
  },
  {
    name: "test_input_required_result_multi_round",
    description: "Asks twice",
    async call(_input, context) {
      const round = await roundOf(context);
      const color = acceptedContent(context.mcpReq.inputResponses, "step2", COLOR);
      if (round === 2 && color !== undefined) return text(`You like ${color.color}`);
      const inputRequests: InputRequests = round === 0
        ? { step1: askName("Step 1: What is your name?") }
        : {
          step2: inputRequired.elicit({
            message: "Step 2: What is your favorite color?",
            requestedSchema: COLOR,
          }),
        };
      const requestState = await state.mint({ round: Math.min(round + 1, 2) });
      return inputRequired({ inputRequests, requestState });
    },
  },
  {
    name: "test_input_required_result_capabilities",
    description: "Asks for what the client has declared",
    call(_input, { mcpReq }) {
      if (mcpReq.inputResponses !== undefined) return text("Done");
      const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
      const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
      const declared = isRecord(capabilities) ? capabilities : {};
      const inputRequests: InputRequests = {
        ...(declared.elicitation === undefined ? {} : { user_name: askName() }),
        ...(declared.sampling === undefined ? {} : { greeting: askModel("Generate a greeting") }),
        ...(declared.roots === undefined ? {} : { client_roots: inputRequired.listRoots() }),
      };
      if (Object.keys(inputRequests).length === 0) return text("Nothing can be asked");
      return Promise.resolve(inputRequired({ inputRequests }));
    },
  },
];
