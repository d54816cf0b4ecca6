/** The options of `--check`. */
export interface CheckSettings {
  readonly ignoreMissing: boolean;
  readonly quiet: boolean;
  readonly status: boolean;
  readonly strict: boolean;
  readonly warn: boolean;
}
