import { z } from 'zod';
import type { NewDelivery } from '#lib/outbox/delivery.ts';
import type { MailedEvent } from './digest/mention-store.ts';

const id = z.string();
const to = z.union([
  z.object({ memberId: z.string() }),
  // One that the settings name.
  z.object({ address: z.string() }),
]);

/** What a mail of the outbox contains: ids, from which it is written when it is sent. No address of a person. */
export const mailPayloadSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('confirmation'), id }),
  z.object({
    type: z.literal('digest'),
    id,
    fresh: z.array(z.string()),
    reminders: z.array(z.string()),
  }),
  z.object({
    type: z.literal('reminder'),
    id,
    /** The events, and when each reminder was due, Unix ms. */
    events: z.array(z.object({ id, at: z.number() })),
  }),
  z.object({
    type: z.literal('move'),
    id,
    /** When the events were read like this, Unix ms. */
    readAt: z.number(),
    events: z.array(z.custom<MailedEvent>((value) => typeof value === 'object')),
  }),
  z.object({
    type: z.literal('alert'),
    id,
    to,
    subject: z.string(),
    lines: z.array(z.string()),
    /** The page that shows more. */
    path: z.string(),
  }),
]);

export type MailPayload = z.infer<typeof mailPayloadSchema>;

/** A mail for the outbox. Those to one person are sent one after the other. */
export function toMailDelivery(payload: MailPayload): NewDelivery {
  return { kind: 'mail', target: `mail ${payload.id}`, payload: JSON.stringify(payload) };
}
