import { z } from 'zod';
import { isCalendarDate } from '#lib/events/model/dates.ts';
import { calendarDateSchema } from '#lib/events/model/time-and-place.ts';
import { parseDays } from '#lib/events/search/parse-days.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { foldText } from '#lib/events/words/fold-text.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import type { ToolParts } from '../tool.ts';

/** Events of a call without `limit`: a whole table would fill a model's context. */
export const limitDefault = 20;

/** What every list says: a model does not know today's date, nor how much it has not seen. */
export const listMetaSchemas = {
  total: z
    .int()
    .min(0)
    .meta({ description: 'How many match, whether they are in the list or not.' }),
  today: calendarDateSchema.meta({ description: 'Today’s date in `timeZone`.' }),
  timeZone: z.string().meta({ description: 'The site’s time zone, by which days are counted.' }),
};

export function toListMeta(total: number, { day }: EventsSnapshot, { config }: ToolParts) {
  return { total, today: day, timeZone: config.events.timeZone };
}

/** Models pass on what people say, `next weekend`: the error has the days to send, as of today. */
export function requireDates(input: Readonly<Record<string, unknown>>, today: string): void {
  for (const name of ['from', 'to', 'since']) {
    const text = String(input[name] ?? '');
    const words = foldText(text).split(/\s+/).filter(Boolean);
    const named = isCalendarDate(text) ? null : parseDays(words, today);
    if (named === null || named.days.isYearly || named.count < words.length) continue;
    const { from, to } = named.days;
    throw createApiError('bad_request', {
      message: `\`${name}\` must be a date, as \`YYYY-MM-DD\`. Today is ${today}.`,
      hint: `For “${words.join(' ')}”, send \`"from": "${from}", "to": "${to}"\`.`,
    });
  }
}
