/**
 * Small functions that several rooms need and that no library here has: names, errors, times,
 * paths, text that is safe to show, words for a shell, bytes, actions that run in turn, and
 * secrets.
 *
 * It needs no streams, no host and no other room. Only the other rooms import it: it is not an
 * entry of the package.
 *
 * @module
 */
export { clip, clipEnd } from "./clip.ts";
export { closest } from "./closest.ts";
export { eachAtOnce } from "./each_at_once.ts";
export { hexadecimal } from "./hexadecimal.ts";
export { isRecord } from "./is_record.ts";
export { isWithin } from "./is_within.ts";
export { joinBytes } from "./join_bytes.ts";
export { KeyedLock } from "./keyed_lock.ts";
export { localTime } from "./local_time.ts";
export { messageOf } from "./message_of.ts";
export { nameOnOneLine, printable, withoutColours, withoutControls } from "./printable.ts";
export { redactor } from "./redactor.ts";
export { sameSecret } from "./same_secret.ts";
export { holdsSecret, withoutSecrets } from "./secret_shapes.ts";
export { isSecretVariable } from "./secret_variable.ts";
export { quotedWord, shellWord } from "./shell_word.ts";
