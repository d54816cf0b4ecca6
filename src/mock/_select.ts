import type {
  Fault,
  Scenario,
  ScenarioMatch,
  ScenarioStep,
  ScenarioToolCall,
  ScenarioToolChoice,
} from "./scenario.ts";
import type { MockRequest } from "./wire_api.ts";

/** The step that answers a request; absent where the scenario has no step left. */
export interface Selection {
  scenario: Scenario;
  /** Index of the step, counted from 0. */
  index: number;
  step?: ScenarioStep;
}

/** Finds the first scenario that fits, in file order. */
export function selectStep(
  scenarios: readonly Scenario[],
  request: MockRequest,
): Selection | undefined {
  for (const scenario of scenarios) {
    const { steps } = scenario;
    if (!fits(scenario, request)) continue;
    const index = stepIndex(steps, request.toolResults.length);
    const step = steps[index];
    if (step?.match !== undefined && !holds(step.match, request)) continue;
    if (step !== undefined && findMissing(step, request.tools) !== undefined) continue;
    return { scenario, index, ...(step === undefined ? {} : { step }) };
  }
  return undefined;
}

/**
 * Counts the answered steps: a step with n calls takes n tool results. One without calls takes one
 * too, so that a tool result without a call also leads to the next step.
 */
function stepIndex(steps: readonly ScenarioStep[], results: number): number {
  let index = 0;
  for (const { response } of steps) {
    const taken = Math.max(1, response?.tool_calls?.length ?? 0);
    if (results < taken) return index;
    results -= taken;
    index++;
  }
  return index + results;
}

/** The function of a call; `undefined` when none of its tools is on offer. */
export function chooseTool(
  call: ScenarioToolCall | ScenarioToolChoice,
  offered: ReadonlySet<string>,
): ScenarioToolCall["function"] | undefined {
  if ("function" in call) return call.function;
  const found = Object.entries(call.by_tool).find(([name]) => offered.has(name));
  return found === undefined ? undefined : { name: found[0], arguments: found[1] };
}

/** The tools of a call of which none is on offer, if the step has one. */
function findMissing(
  { response }: ScenarioStep,
  offered: ReadonlySet<string>,
): string[] | undefined {
  for (const call of response?.tool_calls ?? []) {
    if ("by_tool" in call && chooseTool(call, offered) === undefined) {
      return Object.keys(call.by_tool);
    }
  }
  return undefined;
}

/**
 * Explains why no step answers a request, where the reason is a step whose tools are not on offer.
 */
export function describeMissing(
  scenarios: readonly Scenario[],
  request: MockRequest,
): string | undefined {
  for (const scenario of scenarios) {
    if (!fits(scenario, request)) continue;
    const step = scenario.steps[stepIndex(scenario.steps, request.toolResults.length)];
    const missing = step === undefined ? undefined : findMissing(step, request.tools);
    if (missing === undefined) continue;
    return `Scenario '${scenario.name}' calls one of the tools ${missing.join(", ")}, ` +
      `but the request offers ${[...request.tools].join(", ") || "none"}`;
  }
  return undefined;
}

function fits({ trigger, match }: Scenario, request: MockRequest): boolean {
  if (trigger !== undefined && !request.userText.includes(trigger)) return false;
  return match === undefined || holds(match, request);
}

/** True where all conditions hold. */
function holds(match: ScenarioMatch, request: MockRequest): boolean {
  const { regex, flags, api, model, system_contains, tool_result_contains, body_has } = match;
  if (regex !== undefined && !new RegExp(regex, flags).test(request.userText)) return false;
  if (api !== undefined && api !== request.api) return false;
  if (model !== undefined && model !== request.model) return false;
  if (system_contains !== undefined && !request.system.some((it) => it.includes(system_contains))) {
    return false;
  }
  if (tool_result_contains !== undefined) {
    const last = request.toolResults.at(-1);
    if (last === undefined || !last.includes(tool_result_contains)) return false;
  }
  return body_has === undefined || request.fields.has(body_has);
}

/** Counts the requests that each step has had, for the faults that last a number of times. */
export class Attempts {
  readonly #counts = new WeakMap<ScenarioStep, number>();

  /**
   * The fault for this request to the step, and for a step with faults that last a number of
   * times, which attempt it is, counted from 1.
   */
  next(step: ScenarioStep): { attempt?: number; fault?: Fault } {
    const faults = step.fault === undefined ? [] : [step.fault].flat();
    if (faults[0]?.times === undefined) return faults[0] === undefined ? {} : { fault: faults[0] };
    const before = this.#counts.get(step) ?? 0;
    let left = before;
    for (const fault of faults) {
      if (fault.times === undefined || left < fault.times) {
        if (fault.times !== undefined) this.#counts.set(step, before + 1);
        return { attempt: before + 1, fault };
      }
      left -= fault.times;
    }
    this.#counts.delete(step);
    return { attempt: before + 1 };
  }
}
