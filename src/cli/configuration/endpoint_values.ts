import { nameOf, type Reader, SETTINGS } from "../settings/mod.ts";
import type { SettingValues } from "./values.ts";

/** The settings of the endpoint that every reader has. */
export interface EndpointValues {
  /** `undefined` where no key is set. */
  readonly apiKey: string | undefined;
  readonly baseUrl: string;
  readonly model: string;
  /** How long the endpoint is waited for. */
  readonly patience: Patience;
}

/** Times for which an endpoint is waited, in milliseconds, and the variables that raise them. */
export interface Patience {
  readonly firstTokenTimeout: number;
  readonly maxRetryWait: number;
  readonly names: { readonly firstTokenTimeout: string; readonly maxRetryWait: string };
}

/**
 * The settings of the endpoint.
 *
 * @throws {ConfigError} One of them is wrong.
 */
export function endpointValues(values: SettingValues, reader: Reader): EndpointValues {
  const { firstTokenTimeout, maxRetryWait } = SETTINGS;
  return {
    apiKey: values.get(SETTINGS.apiKey),
    baseUrl: values.get(SETTINGS.baseUrl),
    model: values.get(SETTINGS.model),
    patience: {
      firstTokenTimeout: 1000 * (values.get(firstTokenTimeout) ?? Infinity),
      maxRetryWait: 1000 * values.get(maxRetryWait),
      names: {
        firstTokenTimeout: nameOf(firstTokenTimeout, reader),
        maxRetryWait: nameOf(maxRetryWait, reader),
      },
    },
  };
}
