import type { Selectable } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';

export const deliveryKinds = ['webhook', 'ping', 'mail'] as const;

export type DeliveryKind = (typeof deliveryKinds)[number];

export type NewDelivery = Readonly<{
  kind: DeliveryKind;
  /** Who gets it. Each target gets one delivery at a time, so that a slow one holds up no other. */
  target: string;
  payload: string;
  /** Unix ms, by the clock of the database; without it the delivery starts at once. */
  notBefore?: number;
}>;

/** A delivery to be sent now. */
export type Delivery = Readonly<{
  /** The same for all attempts, so that a receiver recognizes what it gets twice. */
  id: string;
  kind: DeliveryKind;
  target: string;
  payload: string;
  /** Unix ms. */
  createdAt: number;
  /** 1 for the first. */
  attempt: number;
}>;

export type Attempt = Readonly<{
  /**
   * `failed`: there will be another attempt, if the schedule has one left. `given-up`: there will be none. `away`: what
   * all deliveries of this kind go through cannot be reached, so this one does not count, and the others wait.
   */
  outcome: 'delivered' | 'failed' | 'given-up' | 'away';
  /** What came of it in a few words, such as `204` or `timed out`. Contains nothing that a target has sent. */
  result: string;
  /** How long a target that has failed asks to be left alone, at least. */
  retryAfterMs?: number;
}>;

/** How deliveries of a kind are sent. */
export type Sender = Readonly<{
  /** An exception counts as `failed`. The signal is aborted when the time for an attempt is over. */
  send: (delivery: Delivery, signal: AbortSignal) => Promise<Attempt>;
  /** How long to wait after the first failed attempt, the second and so on; afterwards it is given up. */
  retryDelaysMs: readonly number[];
  /** How many may be under way at once in one process. */
  parallelMax: number;
  /** How many finished deliveries of each target stay to be looked at. */
  finishedMax: number;
}>;

export type Senders = Partial<Readonly<Record<DeliveryKind, Sender>>>;

export type DeliveryRow = Selectable<Schema['marquee_deliveries']>;
