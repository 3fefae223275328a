import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  inOrder,
  type List,
  type ListPlace,
  type ListQuery,
  readListPage,
} from '#lib/storage/lists.ts';
import type { Schema } from '#lib/storage/schema.ts';
import type { DeliveryKind, DeliveryRow } from './delivery.ts';

const isWaiting = sql<boolean>`item.due_at is not null`;
const position = { value: sql.ref<number>('item.position'), isText: false };

/** All deliveries, waiting and finished. They are found by ids and results, and by who gets them, as people know them. */
export const deliveryList = {
  from: sql`marquee_deliveries as item`,
  id: 'item.id',
  texts: ['item.id', 'item.target', 'item.result', 'webhook.name', 'webhook.url', 'reader.address'],
  // The target of a mail is `mail` and an id.
  textJoin: sql`left join marquee_webhooks as webhook on webhook.id = item.target
    left join marquee_mail_subscriptions as reader
    on item.kind = 'mail' and reader.id = substr(item.target, 6)`,
  sorts: {
    newest: () => ({ ...position, isDescending: true }),
    oldest: () => ({ ...position, isDescending: false }),
    attempts: () => ({ value: sql.ref('item.attempts'), isText: false, isDescending: true }),
  },
  filters: {
    state: {
      waiting: () => isWaiting,
      failing: () => sql`(${isWaiting} and item.attempts > 0)`,
      delivered: () => sql`item.outcome = 'delivered'`,
      'given-up': () => sql`item.outcome = 'given-up'`,
    },
    kind: {
      webhook: () => sql`item.kind = 'webhook'`,
      mail: () => sql`item.kind = 'mail'`,
      ping: () => sql`item.kind = 'ping'`,
    } satisfies Record<DeliveryKind, () => RawBuilder<boolean>>,
    /** Who gets it, such as the id of a webhook. */
    target: (value) => sql`item.target = ${value}`,
  },
} as const satisfies List<unknown>;

export type DeliveryQuery = ListQuery<
  keyof typeof deliveryList.sorts,
  keyof typeof deliveryList.filters
>;

/** With the name of the webhook that gets it, if one does. */
export type ListedDelivery = DeliveryRow & Readonly<{ webhook_name: string | null }>;

export type DeliveryPage = ListPlace & Readonly<{ deliveries: readonly ListedDelivery[] }>;

export async function searchDeliveries(
  db: Kysely<Schema>,
  query: DeliveryQuery,
): Promise<DeliveryPage> {
  const { ids, ...place } = await readListPage(db, deliveryList, query, null);
  if (ids.length === 0) return { ...place, deliveries: [] };
  const rows = await db
    .selectFrom('marquee_deliveries as item')
    .leftJoin('marquee_webhooks as webhook', 'webhook.id', 'item.target')
    .selectAll('item')
    .select('webhook.name as webhook_name')
    .where('item.id', 'in', ids)
    .execute();
  return { ...place, deliveries: inOrder(ids, rows, ({ id }) => id) };
}
