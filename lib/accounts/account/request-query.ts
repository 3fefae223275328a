import { isCalendarDate } from '#lib/events/model/dates.ts';
import type { RequestFilter, RequestPlace } from '#lib/spend/store/request-reader.ts';
import { toUtcDay } from '#lib/storage/days.ts';

/** The parameters of a URL. */
type Parameters = Readonly<Record<string, string | undefined>>;

/** Which requests a page of them shows, as its URL says. Empty: all. The admin pages read the same. */
export type RequestQuery = Readonly<{
  /** The id of a key. */
  key: string;
  model: string;
  /** `ok`, `failed`, or an HTTP status. */
  status: string;
  session: string;
  /** An `x-request-id`. */
  request: string;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  /** `cost`: the dearest of the day first; otherwise the newest. */
  sort: string;
}>;

export const allRequests: RequestQuery = {
  key: '',
  model: '',
  status: '',
  session: '',
  request: '',
  day: '',
  sort: '',
};

/** What cannot be read counts as left out. The dearest are those of today, unless there is a day. */
export function readRequestQuery(parameters: Parameters, now: number): RequestQuery {
  const { key = '', model = '', status = '', session = '', request = '', day = '' } = parameters;
  const sort = parameters.sort === 'cost' ? 'cost' : '';
  const today = sort === 'cost' ? toUtcDay(now) : '';
  return {
    key,
    model: model.trim(),
    status: toStatuses(status) === undefined ? '' : status,
    session: session.trim(),
    request: request.trim(),
    day: isCalendarDate(day) ? day : today,
    sort,
  };
}

/** All but whose requests they are. */
export function toRequestFilter(query: RequestQuery): Omit<RequestFilter, 'owner'> {
  return {
    model: query.model || undefined,
    session: query.session || undefined,
    requestId: query.request || undefined,
    statuses: toStatuses(query.status),
    day: query.day || undefined,
    isByCost: query.sort === 'cost',
  };
}

function toStatuses(status: string): RequestFilter['statuses'] {
  if (status === 'ok') return { from: 100, to: 399 };
  if (status === 'failed') return { from: 400, to: 999 };
  return /^[1-9]\d\d$/.test(status) ? { from: Number(status), to: Number(status) } : undefined;
}

/** With its `?`: the filters that are on, and where the page begins. */
export function toRequestSearch(query: RequestQuery, after: RequestPlace | null = null): string {
  const place = after === null ? [] : [['after', `${after.value}.${after.id}`]];
  const filters = Object.entries(query).filter(([, value]) => value !== '');
  const parameters = new URLSearchParams([...filters, ...place]);
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** Where a page begins; null: with the first request. */
export function readRequestPlace(text: string | undefined): RequestPlace | null {
  const [, value, id = ''] = /^(\d{1,15})\.([\w-]{0,100})$/.exec(text ?? '') ?? [];
  return value === undefined ? null : { value: Number(value), id };
}
