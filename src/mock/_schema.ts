import * as z from "zod";
import { isRecord, messageOf } from "../base/mod.ts";
import type {
  Fault,
  Scenario,
  ScenarioFile,
  ScenarioMatch,
  ScenarioResponse,
  ScenarioStep,
  ScenarioToolCall,
  ScenarioToolChoice,
} from "./scenario.ts";
import { wireApiNames } from "./wire_api.ts";

/** Longest delay a scenario may ask for: an hour. */
const MAX_DELAY = 3_600_000;

const delay = z.number().min(0).max(MAX_DELAY).exactOptional();
const count = z.int().min(0).exactOptional();
const positive = z.int().min(1).exactOptional();
const flag = z.boolean().exactOptional();
const text = z.string().exactOptional();

const finishReason = z.enum(["stop", "length", "tool_calls", "content_filter", "function_call"]);

const callArguments = z.union([z.string(), z.record(z.string(), z.unknown())], {
  error: "Expected an object or its JSON text",
});

const id = z.string().min(1, "Expected an id").exactOptional();

const toolCall: z.ZodType<ScenarioToolCall> = z.strictObject({
  id,
  type: z.literal("function").exactOptional(),
  function: z.strictObject({
    name: z.string().min(1, "Expected a name"),
    arguments: callArguments,
  }),
});

const toolChoice: z.ZodType<ScenarioToolChoice> = z.strictObject({
  id,
  by_tool: z.record(z.string().min(1, "Expected a name"), callArguments)
    .refine((tools) => Object.keys(tools).length > 0, "Expected at least one tool"),
});

/** Which of the two it is is clear from its fields, so that errors name the place in it. */
const anyCall = z.unknown().superRefine((value, context) => {
  const given = isRecord(value) ? value : {};
  if ("by_tool" in given && "function" in given) {
    return issue(context, ["by_tool"], "A call has a function or by_tool; remove one");
  }
  if (isRecord(value) && !("by_tool" in value) && !("function" in value)) {
    return issue(context, [], "Expected a function or by_tool");
  }
  const result = ("by_tool" in given ? toolChoice : toolCall).safeParse(value);
  for (const { path, message } of result.error?.issues ?? []) issue(context, path, message);
}).transform((value) => value as ScenarioToolCall | ScenarioToolChoice);

const response: z.ZodType<ScenarioResponse> = z.strictObject({
  content: z.string().nullable().exactOptional(),
  tool_calls: z.array(anyCall).exactOptional(),
  finish_reason: finishReason.exactOptional(),
  usage: z.strictObject({
    prompt_tokens: count,
    completion_tokens: count,
    cached_tokens: count,
  }).nullable().exactOptional(),
});

const match: z.ZodType<ScenarioMatch> = z.strictObject({
  regex: text,
  flags: z.string().regex(/^[imsuv]*$/, "Expected some of the flags i, m, s, u, v").exactOptional(),
  api: z.enum(wireApiNames, { error: `Expected ${wireApiNames.join(", ")}` }).exactOptional(),
  model: text,
  system_contains: text,
  tool_result_contains: text,
  body_has: text,
}).superRefine(({ regex, flags }, context) => {
  if (regex === undefined) {
    if (flags !== undefined) issue(context, ["flags"], "Flags need a regex");
    return;
  }
  try {
    new RegExp(regex, flags);
  } catch (error) {
    issue(context, ["regex"], messageOf(error));
  }
});

/** Fields that replace the answer. */
const REPLACING = ["status", "html", "redirect", "hang"] as const;

/** Fields that change how an answer is sent, and have no meaning without one. */
const SENDING = [
  "first_token",
  "chunk_delay",
  "cut_after",
  "cut_after_bytes",
  "end_after",
  "stall_after",
  "error_after",
  "malformed",
  "no_finish_reason",
  "no_done",
] as const;

/** Fields that end a stream early: only one of them can happen. */
const ENDING = ["cut_after", "cut_after_bytes", "end_after", "stall_after", "error_after"] as const;

const fault: z.ZodType<Fault> = z.strictObject({
  times: positive,
  status: z.int().min(300).max(599).exactOptional(),
  error: z.strictObject({
    message: text,
    type: text,
    code: z.string().nullable().exactOptional(),
    param: z.string().nullable().exactOptional(),
  }).exactOptional(),
  retry_after: z.union([z.number().min(0), z.string()], {
    error: "Expected seconds, or an HTTP date as text",
  }).exactOptional(),
  headers: z.record(
    z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "Expected a header name"),
    z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, "Expected a header value in Latin-1"),
  ).exactOptional(),
  html: z.union([z.boolean(), z.string()]).exactOptional(),
  redirect: z.string().min(1, "Expected an address").exactOptional(),
  hang: flag,
  latency: delay,
  first_token: delay,
  chunk_delay: delay,
  chunk_bytes: positive,
  cut_after: count,
  cut_after_bytes: count,
  end_after: count,
  stall_after: count,
  error_after: count,
  malformed: flag,
  no_finish_reason: flag,
  no_done: flag,
}).superRefine((value, context) => {
  const given = (name: keyof Fault) => value[name] !== undefined && value[name] !== false;
  const replacing = REPLACING.find(given);
  const sending = SENDING.filter(given);
  for (const name of replacing === undefined ? [] : sending) {
    issue(
      context,
      [name],
      `${replacing} replaces the answer, so ${name} has no effect; remove one`,
    );
  }
  const ending = ENDING.filter(given);
  for (const name of ending.slice(1)) {
    issue(context, [name], `${ending[0]} ends the stream already; remove one`);
  }
  if (given("hang") && (given("status") || given("html") || given("redirect"))) {
    issue(context, ["hang"], "A request that hangs gets no status, page or redirect; remove one");
  }
  if (given("html") && given("redirect")) {
    issue(context, ["html"], "A redirect has no page; remove one");
  }
  if (given("error") && !given("status") && !given("error_after")) {
    issue(context, ["error"], "An error body needs a status or error_after");
  }
  const { status } = value;
  if (status !== undefined && (status < 400) !== given("redirect") && !given("html")) {
    issue(context, ["status"], "Expected 400 to 599, or 300 to 399 together with redirect");
  }
});

const faults = z.array(fault).min(1, "Expected at least one fault").superRefine((list, context) => {
  for (const [index, { times }] of list.slice(0, -1).entries()) {
    if (times === undefined) {
      issue(context, [index, "times"], "Expected a number: without it the next fault never comes");
    }
  }
});

const step: z.ZodType<ScenarioStep> = z.strictObject({
  response: response.exactOptional(),
  match: match.exactOptional(),
  fault: z.unknown().superRefine((value, context) => {
    const result = (Array.isArray(value) ? faults : fault).safeParse(value);
    for (const { path, message } of result.error?.issues ?? []) {
      issue(context, path, message);
    }
  }).transform((value) => value as Fault | Fault[]).exactOptional(),
}).superRefine((value, context) => {
  if (value.response === undefined && value.fault === undefined) {
    issue(context, ["response"], "A step needs a response or a fault");
  }
});

const scenario: z.ZodType<Scenario> = z.strictObject({
  name: z.string().min(1, "Expected a name"),
  description: text,
  trigger: text,
  match: match.exactOptional(),
  steps: z.array(step).min(1, "Expected at least one step"),
}).superRefine((value, context) => {
  if (value.trigger === undefined && value.match === undefined) {
    issue(context, ["trigger"], "A scenario needs a trigger or a match");
  }
});

/** The schema of a scenario file. `$schema` is allowed for editors and dropped. */
export const scenarioFileSchema: z.ZodType<ScenarioFile> = z.strictObject({
  $schema: text,
  scenarios: z.array(scenario),
  default_response: response.exactOptional(),
}).superRefine(({ default_response }, context) => {
  for (const [index, call] of default_response?.tool_calls?.entries() ?? []) {
    if (!("by_tool" in call)) continue;
    const message = "A default response can't depend on the tools on offer; use a scenario";
    issue(context, ["default_response", "tool_calls", index, "by_tool"], message);
  }
}).transform(({ $schema: _, ...file }) => file);

function issue(context: z.RefinementCtx, path: PropertyKey[], message: string): void {
  context.addIssue({ code: "custom", path, message });
}
