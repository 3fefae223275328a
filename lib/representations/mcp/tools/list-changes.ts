import { z } from 'zod';
import { changeTypes } from '#lib/events/changes/change.ts';
import { isCalendarDate } from '#lib/events/model/dates.ts';
import { selectChanges } from '#lib/events/view/shown-changes.ts';
import { eventPageUrl } from '#lib/events/view/site-urls.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { defineTool } from '../tool.ts';
import { limitDefault, listMetaSchemas, requireDates, toListMeta } from './today.ts';

const changesMax = 50;

/** What has changed, in words. */
export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'Lists what has changed in the last thirty days, the latest first: events that were announced, moved, cancelled, renamed, changed in another way, or removed. Use it for “what is new?” and “has anything changed?”.',
  inputSchema: z.strictObject({
    since: z.string().optional().meta({
      description: 'Only changes found on this day or later, as `YYYY-MM-DD`.',
    }),
    type: z
      .union([z.enum(changeTypes), z.array(z.enum(changeTypes))], {
        error: `must be one or more of ${changeTypes.map((type) => `\`${type}\``).join(', ')}`,
      })
      .optional()
      .meta({ description: 'Only changes of these types.' }),
    limit: z
      .int()
      .min(1)
      .max(changesMax)
      .optional()
      .meta({
        description: `Maximum number of changes. Default: ${limitDefault}.`,
      }),
  }),
  outputSchema: z.object({
    data: z.array(
      z.object({
        type: z.enum(changeTypes),
        timestamp: z.iso.datetime().meta({ description: 'When the change was found.' }),
        change: z.string().meta({ description: 'What changed, in words.' }),
        id: z.string().meta({ description: 'The event’s id: pass it to `fetch`.' }),
        title: z.string(),
        url: z
          .url()
          .nullable()
          .meta({ description: 'The event’s page; `null` if it was removed.' }),
      }),
    ),
    meta: z.object(listMetaSchemas),
  }),
  async run({ since, type, limit = limitDefault }, parts) {
    const snapshot = await parts.events.current();
    requireDates({ since }, snapshot.day);
    if (since !== undefined && !isCalendarDate(since)) {
      throw createApiError('bad_request', {
        message: '`since` must be a date, as `YYYY-MM-DD`.',
        hint: `Today is ${snapshot.day}.`,
      });
    }
    const types = type === undefined ? changeTypes : [type].flat();
    const matching = selectChanges(snapshot).filter(
      (change) => types.includes(change.type) && (since === undefined || change.day >= since),
    );
    return {
      data: matching.slice(0, limit).map((change) => ({
        type: change.type,
        timestamp: change.timestamp,
        change: change.words,
        id: change.eventId,
        title: change.title,
        url: change.event === null ? null : eventPageUrl(parts.site, change.event.slug),
      })),
      meta: toListMeta(matching.length, snapshot, parts),
    };
  },
});
