/** An alert as webhooks get it. */
type Alert = Readonly<{ type: string; data: Readonly<Record<string, unknown>> }>;

export type AlertText = Readonly<{
  subject: string;
  lines: readonly string[];
  /** The page that shows more. */
  path: string;
}>;

/** An alert as admins read it. */
export function describeAlert({ type, data }: Alert): AlertText {
  const read = (name: string) => String(data[name] ?? '').slice(0, 200);
  switch (type) {
    case 'alert.upstream_down':
      return {
        subject: `The upstream ${read('upstream')} is down`,
        lines: [`The AI upstream ${read('upstream')} has not responded for five minutes.`],
        path: '/admin/upstreams',
      };
    case 'alert.table_unreadable':
      return {
        subject: 'The events table cannot be read',
        lines: [
          `It was read last ${data.lastReadAt === null ? 'before the start' : `at ${read('lastReadAt')}`}. The reason: ${read('reason')}.`,
        ],
        path: '/admin/events',
      };
    case 'alert.rows_left_out':
      return {
        subject: `${data.count === 1 ? 'A row' : `${read('count')} rows`} of the events table cannot be shown`,
        lines: toRows(data.rows).map(
          ({ recordId, column, reason }) =>
            `${recordId}, ${column}: ${reason.replaceAll('_', ' ')}`,
        ),
        path: '/admin/events',
      };
    case 'alert.webhook_disabled':
      return {
        subject: `The webhook ${read('name')} is disabled`,
        lines: [`Nothing could be delivered to it: ${read('reason').replaceAll('_', ' ')}.`],
        path: '/admin/webhooks',
      };
    case 'alert.usage_waiting':
      return {
        subject: 'Usage waits to be stored',
        lines: [
          'For five minutes, the usage of requests could not be written to the database. Nothing is lost: it waits on disk.',
        ],
        path: '/admin/usage',
      };
    case 'alert.mail_refused':
      return {
        subject: 'The mail server refuses mails',
        lines: [`It replied ${read('result')}. Mails are tried again for three days.`],
        path: '/admin',
      };
    default:
      return { subject: 'Something needs your attention', lines: [type], path: '/admin' };
  }
}

type Row = Readonly<{ recordId: string; column: string; reason: string }>;

function toRows(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

function isRow(value: unknown): value is Row {
  if (typeof value !== 'object' || value === null) return false;
  return ['recordId', 'column', 'reason'].every(
    (name) => typeof Reflect.get(value, name) === 'string',
  );
}
