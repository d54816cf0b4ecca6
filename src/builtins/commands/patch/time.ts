const DAY = 24 * 60 * 60;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const FULL_MONTHS =
  "january february march april may june july august september october november december sept"
    .split(" ");
const DAYS =
  ("sunday monday tuesday wednesday thursday friday saturday sun mon tue wed thu fri sat " +
    "tues wednes thur thurs").split(" ");

/** What the words of a time have said so far. */
interface Fields {
  year?: number;
  month?: number;
  day?: number;
  /** Hours, minutes and seconds. */
  time?: readonly number[];
  /** Seconds that the zone is ahead of UTC. */
  zone?: number;
}

/**
 * The forms that a word, or words that belong together, may have, and what they say; `false` if
 * that cannot be. Each is tried where the one before ended.
 */
const FORMS: readonly (readonly [RegExp, (fields: Fields, ...words: string[]) => boolean])[] = [
  [
    /(\d{2,})-(\d\d?)-(\d\d?)(?!\d)T?/yi,
    (fields, year, month, day) => setDate(fields, fullYear(year), Number(month), Number(day)),
  ],
  [
    /(\d{4,})\/(\d\d?)\/(\d\d?)(?!\d)/y,
    (fields, year, month, day) => setDate(fields, Number(year), Number(month), Number(day)),
  ],
  [
    /(\d\d?)\/(\d\d?)\/(\d{2,})/y,
    (fields, month, day, year) => setDate(fields, fullYear(year), Number(month), Number(day)),
  ],
  [
    /(\d+):(\d+)(?::(\d+)(?:[.,]\d+)?)?(?:\s*([ap])\.?m\.?)?/yi,
    (fields, hour, ...rest) => setTime(fields, Number(hour), rest),
  ],
  [
    /(\d\d?)\s*([ap])\.?m\.?(?![a-z])/yi,
    (fields, hour, half = "") => setTime(fields, Number(hour), ["0", "0", half]),
  ],
  [/(\d\d?)[\s-]*([a-z]{3,})\.?(?:[\s,-]+(\d{2,})(?!\d*:))?/yi, (fields, day, name, year) => {
    const month = monthOf(name);
    return month > 0 && setDate(fields, year && fullYear(year), month, Number(day));
  }],
  [/([a-z]{3,})\.?[\s-]+(\d\d?)(?![\d:])(?:\s*,\s*(\d{2,}))?/yi, (fields, name, day, year) => {
    const month = monthOf(name);
    return month > 0 && setDate(fields, year && fullYear(year), month, Number(day));
  }],
  [/(?:utc?|gmt|z)(?![a-z])(?:\s*([+-]\d\d?):?(\d\d)?)?/yi, setZone],
  [
    /([+-]\d\d?):?(\d\d)?(?!\d)/y,
    (fields, hours, minutes) => fields.time !== undefined && setZone(fields, hours, minutes),
  ],
  [/([a-z]{3,})\.?,?/yi, (_fields, name = "") => DAYS.includes(name.toLowerCase())],
  [/(\d+)/y, (fields, digits = "") => {
    if (fields.day !== undefined && fields.year === undefined) {
      if (fields.time === undefined && digits.length <= 2) return false;
      fields.year = fullYear(digits);
      return true;
    }
    if (digits.length > 4) {
      const [month, day] = [Number(digits.slice(-4, -2)), Number(digits.slice(-2))];
      return setDate(fields, fullYear(digits.slice(0, -4)), month, day);
    }
    if (digits.length > 2) return false;
    return setTime(fields, Number(digits), []);
  }],
];

/**
 * Whether the time in the heading of a patch is that of the epoch in some zone, which tells that
 * there is no file; `undefined` for what is no time. Times without a zone are UTC. Knows the forms
 * in which programs write dates, not all that `date -d` does.
 */
export function isEpoch(text: string): boolean | undefined {
  if (text === "\n") return undefined;
  const seconds = secondsOf(text);
  return typeof seconds !== "number" ? seconds : seconds > -DAY - 3600 && seconds < DAY + 7200;
}

/** Seconds since the epoch; `false` for a time near today, `undefined` for what is none. */
function secondsOf(text: string): number | false | undefined {
  const [, since] = /^\s*@\s*([+-]?\d+)(?:[.,]\d+)?\s*$/.exec(text) ?? [];
  if (since !== undefined) return Number(since);
  const fields: Fields = {};
  for (let at = 0;;) {
    // A sign in front of no number says nothing.
    at += /^(?:\s|[+-](?!\d))*/.exec(text.slice(at))?.[0].length ?? 0;
    if (at === text.length) break;
    const end = wordAt(text, at, fields);
    if (end === undefined) return undefined;
    at = end;
  }
  const { year, month = 0, day, time = [0, 0, 0], zone = 0 } = fields;
  if (year === undefined || day === undefined) return false;
  const [hour = 0, minute = 0, second = 0] = time;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const isInCalendar = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day;
  return isInCalendar ? date.getTime() / 1000 - zone : undefined;
}

/** Takes what stands at a place; where that ends, or `undefined` if it makes no time. */
function wordAt(text: string, at: number, fields: Fields): number | undefined {
  for (const [form, take] of FORMS) {
    form.lastIndex = at;
    const [whole, ...words] = form.exec(text) ?? [];
    if (whole !== undefined && take(fields, ...words)) return at + whole.length;
  }
  return undefined;
}

function setDate(
  fields: Fields,
  year: number | "" | undefined,
  month: number,
  day: number,
): boolean {
  if (fields.day !== undefined) return false;
  fields.month = month;
  fields.day = day;
  if (year !== "" && year !== undefined) fields.year = year;
  return true;
}

function setTime(fields: Fields, hour: number, [minutes, seconds, half]: string[]): boolean {
  const [minute, second] = [Number(minutes ?? 0), Number(seconds ?? 0)];
  const of24 = half === undefined
    ? hour
    : hour < 1 || hour > 12
    ? 24
    : (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  if (fields.time !== undefined || of24 > 23 || minute > 59 || second > 59) return false;
  fields.time = [of24, minute, second];
  return true;
}

function setZone(fields: Fields, hours = "+0", minutes = "0"): boolean {
  const zone = (Math.abs(Number(hours)) * 60 + Number(minutes)) * 60;
  if (fields.zone !== undefined || zone > DAY) return false;
  fields.zone = hours.startsWith("-") ? -zone : zone;
  return true;
}

function fullYear(digits = ""): number {
  const year = Number(digits);
  return digits.length > 2 ? year : year < 69 ? 2000 + year : 1900 + year;
}

/** The number of a month, or 0 for what is none. */
function monthOf(name = ""): number {
  const small = name.toLowerCase();
  return FULL_MONTHS.includes(small) || small.length === 3
    ? MONTHS.indexOf(small.slice(0, 3)) + 1
    : 0;
}
