import { addDays, daysBetween, isCalendarDate } from '#lib/events/model/dates.ts';
import { HttpError } from '#lib/http/errors/errors.ts';
import { createResponse } from '#lib/http/response.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import type { UsageSum, UsageSums } from '#lib/spend/store/usage-sums.ts';
import { addTotals, type UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { waitForDatabase } from '#lib/storage/wait-for-database.ts';
import { type KeyRequestOptions, openKeyRequest } from './key-request.ts';

type UsageHandlerOptions = KeyRequestOptions &
  Readonly<{ usage: Pick<UsageSums, 'sumByDayAndModel'>; now: () => number }>;

const unavailable = {
  message: 'The usage of this API key cannot be read',
  reason: 'usage_unreadable',
};

/** Responds to `GET /usage` with what the key that asks has used. It counts as a request of the minute. @throws HttpError */
export function createUsageHandler(
  options: UsageHandlerOptions,
): (request: Request) => Promise<Response> {
  const { usage, now } = options;
  return async (request) => {
    const { key, headers } = await openKeyRequest(request, options);
    const { from, to, by } = readUsageQuery(request.url, toUtcDay(now()));
    const sums = await waitForDatabase(usage.sumByDayAndModel(key.id, from), unavailable);
    const data = sumBy(
      sums.filter(({ day }) => day <= to),
      by,
    );
    return createResponse({
      status: 200,
      headers: [
        ['Content-Type', 'application/json; charset=utf-8'],
        ['Cache-Control', 'no-store'],
        ...headers,
      ],
      body: JSON.stringify({ object: 'list', from, to, data }),
    });
  };
}

const shownDays = 30;
const daysMax = 366;
const groupings = { 'day,model': true, 'model,day': true, day: true, model: true } as const;

type Grouping = keyof typeof groupings;
type UsageQuery = Readonly<{ from: string; to: string; by: Grouping }>;

function readUsageQuery(url: string, today: string): UsageQuery {
  const parameters = readSearchParameters(searchOf(url));
  for (const name of new Set(parameters.keys())) {
    if (!['from', 'to', 'by'].includes(name)) throw invalid(name, 'There is no such parameter.');
    if (parameters.getAll(name).length > 1) throw invalid(name, 'It is there more than once.');
  }
  const to = readDay(parameters, 'to') ?? today;
  const from = readDay(parameters, 'from') ?? addDays(to, 1 - shownDays);
  if (from > to) throw invalid('from', 'It is after `to`.');
  if (daysBetween(from, to) >= daysMax) throw invalid('from', `At most ${daysMax} days are shown.`);
  const by = parameters.get('by') ?? 'day,model';
  if (!isGrouping(by)) throw invalid('by', 'It is `day,model`, `day` or `model`.');
  return { from, to, by };
}

function isGrouping(text: string): text is Grouping {
  return Object.hasOwn(groupings, text);
}

function readDay(parameters: URLSearchParams, name: 'from' | 'to'): string | null {
  const text = parameters.get(name);
  if (text === null || isCalendarDate(text)) return text;
  throw invalid(name, 'It is a day such as `2026-11-26`.');
}

function invalid(param: string, message: string): HttpError {
  return new HttpError(400, {
    code: 'invalid_value',
    param,
    message: `The parameter \`${param.slice(0, 50)}\` is invalid. ${message}`,
  });
}

type SumRow = Readonly<{ date?: string; model?: string; totals: UsageTotals }>;

/** In the order of the sums: the newest first. */
function sumBy(sums: readonly UsageSum[], by: Grouping): object[] {
  const rows = new Map<string, SumRow>();
  for (const { day, model, ...totals } of sums) {
    const names = {
      ...(by !== 'model' && { date: day }),
      ...(by !== 'day' && { model }),
    };
    const key = JSON.stringify(names);
    const before = rows.get(key)?.totals;
    rows.set(key, { ...names, totals: before === undefined ? totals : addTotals(before, totals) });
  }
  return [...rows.values()].map(({ totals, ...names }) => ({
    ...names,
    requests: totals.requests,
    prompt_tokens: totals.tokensIn,
    completion_tokens: totals.tokensOut,
    cached_tokens: totals.cachedTokens,
    cache_write_tokens: totals.cacheWriteTokens,
    usage: totals.costUsd,
  }));
}
