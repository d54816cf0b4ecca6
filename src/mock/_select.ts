import type { Fault, Scenario, ScenarioMatch, ScenarioStep } from "./scenario.ts";
import type { MockRequest } from "./wire_api.ts";

/** The step that answers a request; without a step the scenario has none left. */
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
    const { trigger, match, steps } = scenario;
    if (trigger !== undefined && !request.userText.includes(trigger)) continue;
    if (match !== undefined && !holds(match, request)) continue;
    const index = stepIndex(steps, request.toolResults.length);
    const step = steps[index];
    if (step?.match !== undefined && !holds(step.match, request)) continue;
    return { scenario, index, ...(step === undefined ? {} : { step }) };
  }
  return undefined;
}

/**
 * How many steps are answered: a step with n calls takes n tool results. One without calls takes
 * one too, so that a tool result which no call asked for also leads to the next step.
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

/** Whether all conditions hold. */
function holds(match: ScenarioMatch, request: MockRequest): boolean {
  const { regex, flags, model, system_contains, tool_result_contains, body_has } = match;
  if (regex !== undefined && !new RegExp(regex, flags).test(request.userText)) return false;
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
