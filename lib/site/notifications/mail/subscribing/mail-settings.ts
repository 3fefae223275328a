import { z } from 'zod';
import { parseTimeZone } from '#lib/events/model/zoned-time.ts';
import { filterNames, formatQuery } from '#lib/events/query/events-query.ts';
import { parseEventsQuery } from '#lib/events/query/parse-query.ts';
import { listParameters } from '#lib/events/query/query-parameters.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { parseMailAddress } from './mail-address.ts';

/** Which events somebody gets, and when. */
export const mailSettingsSchema = z.object({
  /** A query with its `?`, or empty. */
  filters: z.string(),
  weekday: z.int().min(0).max(6),
  hour: z.int().min(0).max(23),
  timeZone: z.string(),
});

export type MailSettings = Readonly<z.infer<typeof mailSettingsSchema>>;

/** In the order of `Date.getUTCDay`. */
export const weekdays: readonly string[] = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
];

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
