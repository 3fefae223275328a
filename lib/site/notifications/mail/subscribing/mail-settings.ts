import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { weekdayNames } from '#lib/events/model/dates.ts';
import { parseTimeZone } from '#lib/events/model/zoned-time.ts';
import { filterNames, formatQuery } from '#lib/events/query/events-query.ts';
import { parseEventsQuery } from '#lib/events/query/parse-query.ts';
import { listParameters } from '#lib/events/query/query-parameters.ts';
import { parseSharedIds, remindersMax } from '#lib/events/view/saved-events.ts';
import { createApiError } from '#lib/http/errors/errors.ts';

/** Which events somebody gets, and when. */
export const mailSettingsSchema = z.object({
  /** A query with its `?`, or empty. */
  filters: z.string(),
  weekday: z.int().min(0).max(6),
  hour: z.int().min(0).max(23),
  timeZone: z.string(),
});

export type MailSettings = Readonly<z.infer<typeof mailSettingsSchema>>;

/** The events that somebody wants to be reminded of. */
export const reminderListSchema = z.object({ eventIds: z.array(z.string()) });

export type ReminderList = Readonly<z.infer<typeof reminderListSchema>>;

/** In the order of `Date.getUTCDay`. */
export const weekdays = weekdayNames.map((name) => name.toLowerCase());

export const defaultTime = { weekday: 1, hour: 8 } as const;

const filtersLengthMax = 1_000;

/** Reads the address of a form. @throws HttpError 400 */
export function readMailAddress(form: URLSearchParams): string {
  const result = parseMailAddress(form.get('email') ?? '');
  if (result.ok) return result.address;
  throw refused('email', result.problem);
}

/** Reads the other fields; what is empty has its default. @throws HttpError 400 */
export function readMailSettings(form: URLSearchParams, defaultZone: string): MailSettings {
  const weekdayText = (form.get('weekday') ?? '').trim().toLowerCase();
  const hourText = (form.get('hour') ?? '').trim();
  const zoneText = (form.get('timeZone') ?? '').trim();
  const weekday = weekdayText === '' ? defaultTime.weekday : weekdays.indexOf(weekdayText);
  const hour = hourText === '' ? defaultTime.hour : Number(hourText);
  const timeZone = zoneText === '' ? defaultZone : parseTimeZone(zoneText);
  if (weekday < 0) throw refused('weekday', 'Please choose a day of the week, such as monday.');
  if (!/^\d{0,2}$/.test(hourText) || hour > 23)
    throw refused('hour', 'Please choose an hour from 0 to 23.');
  if (timeZone === null)
    throw refused('timeZone', 'Please choose a time zone, such as Europe/Lisbon.');
  return { filters: readFilters(form), weekday, hour, timeZone };
}

/** Whether a form is about reminders. */
export function isReminderForm(form: URLSearchParams): boolean {
  return form.has('id');
}

/** Reads the ids of a form: `id=a,b`. @throws HttpError 400 */
export function readReminderList(form: URLSearchParams): ReminderList {
  const eventIds = parseSharedIds(form.toString());
  if (eventIds.length > 0 && eventIds.length <= remindersMax) return { eventIds };
  throw createApiError('bad_request', {
    message: `You can be reminded of 1 to ${remindersMax} events.`,
    hint: 'Send their ids, as in `id=ID1,ID2`.',
  });
}

function readFilters(form: URLSearchParams): string {
  const search = new URLSearchParams(
    filterNames.flatMap((name) => form.getAll(name).map((value) => [name, value])),
  );
  const result = parseEventsQuery(search, listParameters);
  if (!result.ok) throw refused('filters', `${result.problem.message} ${result.problem.hint}`);
  const filters = formatQuery(result.query);
  if (filters.length > filtersLengthMax)
    throw refused('filters', 'Please use fewer or shorter filters.');
  return filters;
}

/** @param param the field of the form. */
function refused(param: string, problem: string) {
  return createApiError('bad_request', {
    message: problem,
    param,
    hint: 'Nothing was changed. Go back and correct it.',
  });
}

type MailAddressResult =
  | Readonly<{ ok: true; address: string }>
  /** What is wrong, for people. */
  | Readonly<{ ok: false; problem: string }>;

/** RFC 5321 §4.5.3.1; the whole address with its angle brackets is a path of 256. */
const addressLengthMax = 254;
const localLengthMax = 64;

const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const domain =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?![0-9]+$)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * Reads an email address that somebody typed. Letters outside ASCII are taken in a domain alone, which becomes
 * Punycode: few servers take them in front of the @, and there they are mostly look-alikes.
 */
export function parseMailAddress(text: string): MailAddressResult {
  const trimmed = text.replace(/^[ \t]+|[ \t]+$/g, '');
  if (trimmed === '') return failed('Please write your email address.');
  if (trimmed.length > addressLengthMax) {
    return failed(`An email address has at most ${addressLengthMax} characters.`);
  }
  const at = trimmed.lastIndexOf('@');
  const name = trimmed.slice(0, at);
  if (at < 1) return failed('An email address looks like ada@mail.example.');
  if (/[^\x20-\x7e]/.test(name)) {
    return failed('Before the @, only letters from a to z, digits and a few signs are possible.');
  }
  const host = toHost(trimmed.slice(at + 1));
  if (name.length > localLengthMax || !local.test(name) || !domain.test(host)) {
    return failed('An email address looks like ada@mail.example.');
  }
  const address = `${name}@${host}`.toLowerCase();
  if (address.length > addressLengthMax) {
    return failed(`An email address has at most ${addressLengthMax} characters.`);
  }
  return { ok: true, address };
}

/**
 * The mailbox that an address leads to, as far as one can tell, for limits: without a `+tag`, and with Gmail without
 * dots.
 */
export function toMailbox(address: string): string {
  const [name = '', host = ''] = address.toLowerCase().split('@');
  const [untagged = ''] = name.split('+');
  const isGmail = host === 'gmail.com' || host === 'googlemail.com';
  return isGmail ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged || name}@${host}`;
}

// Control characters and spaces: `domainToASCII` would drop some of them.
function toHost(text: string): string {
  return /[\p{C}\s%@/?#:[\]\\]/u.test(text) ? '' : domainToASCII(text);
}

function failed(problem: string): MailAddressResult {
  return { ok: false, problem };
}
