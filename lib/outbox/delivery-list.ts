import { sql } from 'kysely';
import type { List } from '#lib/storage/lists.ts';
import type { DeliveryKind, DeliveryRow } from './delivery.ts';

/** With the name of the webhook that gets it, if one does. */
export type ListedDelivery = DeliveryRow & Readonly<{ webhook_name: string | null }>;

const isWaiting = sql<boolean>`item.due_at is not null`;
const isOfKind = (kind: DeliveryKind) => () => sql<boolean>`item.kind = ${kind}`;
const position = { value: sql.ref<number>('item.position'), isText: false };

/** All deliveries, waiting and finished. */
export const deliveryList = {
  from: sql`marquee_deliveries as item`,
  id: 'item.id',
  texts: ['item.id', 'item.target', 'item.result', 'webhook.name', 'webhook.url', 'reader.address'],
  // The target of a mail is `mail` and an id.
  textJoin: sql`left join marquee_webhooks as webhook on webhook.id = item.target
    left join marquee_mail_subscriptions as reader
    on item.kind = 'mail' and reader.id = substr(item.target, 6)`,
  search: 'Webhook, address of a reader, id or result',
  sorts: {
    newest: { words: 'Newest first', by: () => ({ ...position, isDescending: true }) },
    oldest: { words: 'Oldest first', by: () => ({ ...position, isDescending: false }) },
    attempts: {
      words: 'Most attempts first',
      by: () => ({ value: sql.ref('item.attempts'), isText: false, isDescending: true }),
    },
  },
  filters: {
    state: {
      label: 'State',
      options: [
        ['waiting', 'Waiting', () => isWaiting],
        ['failing', 'Waiting after a failure', () => sql`(${isWaiting} and item.attempts > 0)`],
        ['delivered', 'Delivered', () => sql`item.outcome = 'delivered'`],
        ['given-up', 'Given up', () => sql`item.outcome = 'given-up'`],
      ],
    },
    kind: {
      label: 'Kind',
      options: [
        ['webhook', 'Webhooks', isOfKind('webhook')],
        ['mail', 'Emails', isOfKind('mail')],
        ['ping', 'Pings of hubs', isOfKind('ping')],
      ],
    },
    /** Who gets it, such as the id of a webhook. */
    target: { label: null, where: (target) => sql`item.target = ${target}` },
  },
  readRows: (db, ids) =>
    db
      .selectFrom('marquee_deliveries as item')
      .leftJoin('marquee_webhooks as webhook', 'webhook.id', 'item.target')
      .selectAll('item')
      .select('webhook.name as webhook_name')
      .where('item.id', 'in', ids)
      .execute(),
  toId: ({ id }) => id,
} as const satisfies List<ListedDelivery>;
