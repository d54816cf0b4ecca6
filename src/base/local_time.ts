/** Formats a moment (milliseconds since the epoch) in the local time zone: `2026-11-29 10:15`. */
export function localTime(moment: number): string {
  const date = new Date(moment);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
