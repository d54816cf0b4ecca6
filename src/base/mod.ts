/**
 * What every room needs and no library here gives: the closest of several names, what an error
 * says, the local time, whether a value is an object and a path below another, text that is safe to
 * show, words for a shell, bytes joined and as digits, actions one or so many at a time, secrets taken
 * out of text and compared.
 *
 * No streams, no host, no knowledge of any program: whoever imports it takes nothing else along. For
 * the other rooms only, not an entry of the package.
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
