/** The form of a session's name, for messages. */
export const SESSION_NAME = "1 to 64 letters, digits, - and _";

/** True if a text is allowed as the name of a session. */
export function isSessionName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}
