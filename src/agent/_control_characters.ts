/**
 * JSON in which strings hold line breaks and tabs as they are, as some local models write them, with
 * these escaped as JSON wants it. Nothing else is changed.
 */
export function escapeControlCharacters(json: string): string {
  let escaped = "";
  let from = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22) inString = !inString;
    else if (!inString) continue;
    else if (code === 0x5c) at++;
    else if (code < 0x20) {
      escaped += `${json.slice(from, at)}\\u${code.toString(16).padStart(4, "0")}`;
      from = at + 1;
    }
  }
  return escaped + json.slice(from);
}
