import { nameOf, type Reader, SETTINGS } from "../settings/mod.ts";
import type { SettingValues } from "./values.ts";

/** Settings of the endpoint that all readers have. */
export interface EndpointValues {
  /** The API key; `undefined` if none is set. */
  readonly apiKey: string | undefined;
  readonly baseUrl: string;
  readonly model: string;
  /** Limits of waiting for the endpoint. */
  readonly patience: Patience;
}

/** Limits of waiting for an endpoint in milliseconds, and the variables that raise them. */
export interface Patience {
  readonly firstTokenTimeout: number;
  readonly maxRetryWait: number;
  readonly names: { readonly firstTokenTimeout: string; readonly maxRetryWait: string };
}

/**
 * Reads the settings of the endpoint.
 *
 * @throws {ConfigError} A value is wrong.
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
