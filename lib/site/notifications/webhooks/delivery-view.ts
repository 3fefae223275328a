import type { DeliveryRow } from '#lib/outbox/delivery.ts';

/** What the page of a webhook shows of a delivery. */
export type DeliveryView = Readonly<{
  id: string;
  type: string;
  status: string;
  attempts: number;
  /** Of the last attempt; null before the first. */
  durationMs: number | null;
  createdAt: number;
  isFinished: boolean;
}>;

export function toDeliveryView(row: DeliveryRow): DeliveryView {
  return {
    id: row.id,
    type: String(JSON.parse(row.payload).type),
    status: describeStatus(row),
    attempts: row.attempts,
    durationMs: row.duration_ms,
    createdAt: row.created_at,
    isFinished: row.due_at === null,
  };
}

function describeStatus({ outcome, result, due_at, lease_until }: DeliveryRow): string {
  const last = result === null ? '' : ` (${result})`;
  if (outcome === 'delivered') return `Delivered${last}`;
  if (due_at === null) return `Given up${last}`;
  if (lease_until !== null) return 'On its way';
  return result === null ? 'Waiting' : `Waits for another attempt${last}`;
}
