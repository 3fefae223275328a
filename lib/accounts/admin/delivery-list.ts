import { parseJson, toJsonObject, toText } from '#lib/http/json-value.ts';
import { deliveryList, type ListedDelivery } from '#lib/outbox/delivery-list.ts';
import { toIsoTime } from '../files/csv-file.ts';
import type { ViewOf } from '../lists/list-view.ts';

/** What the admin pages show of a delivery. */
export type DeliveryView = Readonly<{
  id: string;
  kind: string;
  /** Who gets it: the id of a webhook, a hub, or a reader. */
  target: string;
  /** Of the webhook. */
  targetName: string | null;
  type: string;
  status: string;
  attempts: number;
  /** Of the last attempt; null before the first. */
  durationMs: number | null;
  createdAt: number;
  /** When the next attempt may start; null: there will be none. */
  dueAt: number | null;
  isFinished: boolean;
}>;

export const deliveries = {
  ...deliveryList,
  path: '/admin/deliveries',
  columns: {
    id: ({ id }) => id,
    kind: ({ kind }) => kind,
    target: ({ target }) => target,
    target_name: ({ targetName }) => targetName,
    type: ({ type }) => type,
    status: ({ status }) => status,
    attempts: ({ attempts }) => attempts,
    duration_ms: ({ durationMs }) => durationMs,
    created_at: ({ createdAt }) => toIsoTime(createdAt),
    next_attempt_at: ({ dueAt }) => toIsoTime(dueAt),
  },
  async load({ database, now }, query) {
    const page = await database.readList(deliveryList, query, now);
    return { ...page, rows: page.rows.map(toDeliveryView) };
  },
} as const satisfies ViewOf<typeof deliveryList, DeliveryView>;

export function toDeliveryView(row: ListedDelivery): DeliveryView {
  return {
    id: row.id,
    kind: row.kind,
    target: row.target,
    targetName: row.webhook_name,
    type: readType(row),
    status: describeStatus(row),
    attempts: row.attempts,
    durationMs: row.duration_ms,
    createdAt: row.created_at,
    dueAt: row.due_at === null ? null : Math.max(row.due_at, row.created_at),
    isFinished: row.due_at === null,
  };
}

/** The payload of a ping is a feed, not JSON. */
function readType({ kind, payload }: ListedDelivery): string {
  return toText(toJsonObject(parseJson(payload)).type) || kind;
}

function describeStatus({ outcome, result, due_at, lease_until }: ListedDelivery): string {
  const last = result === null ? '' : ` (${result})`;
  if (outcome === 'delivered') return `Delivered${last}`;
  if (due_at === null) return `Given up${last}`;
  if (lease_until !== null) return 'On its way';
  return result === null ? 'Waiting' : `Waits for another attempt${last}`;
}
