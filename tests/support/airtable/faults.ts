import type { ServerResponse } from 'node:http';
import type { AirtableReply } from '#lib/demo/airtable/airtable-reply.ts';
import { playConnectionFault } from './connection-faults.ts';
import { toFaultReply } from './fault-replies.ts';

/** Every kind of fault. */
export const faultKinds = [
  '401',
  '403',
  '404',
  '422',
  '429',
  '429-errors',
  '429-billing',
  '500-html',
  '502-html',
  '503',
  /** An HTML login page, as from a captive portal. */
  '200-html',
  'hang',
  'hang-body',
  'cut',
  'reset',
  /** The normal response, but late. */
  'slow',
  /** One byte at a time, without end. */
  'drip',
  'huge',
  'broken-json',
  'wrong-record',
  'wrong-schema',
  'expired-iterator',
  'redirect',
] as const;

/** Ways in which a 200 with valid JSON can have the wrong schema. */
export const wrongSchemaVariants = [
  'records-text',
  'records-missing',
  'records-object',
  'offset-number',
  'offset-endless',
  'array',
  'text',
  'number',
  'null',
  'error-in-200',
  'empty-body',
] as const;

export type WrongSchemaVariant = (typeof wrongSchemaVariants)[number];

export type FaultTarget = 'first pages' | 'later pages' | 'attachments';

export type Fault = Readonly<{
  kind: (typeof faultKinds)[number];
  /** By default all pages; an iterator expires only on later ones. */
  on?: 'later pages' | 'attachments';
  /** Only for this many matching requests; then the fault clears itself. */
  times?: number;
  /** Of a `503`. */
  retryAfterSeconds?: number;
  /** Of `slow`. */
  delayMs?: number;
  /** Of `wrong-schema`. */
  variant?: WrongSchemaVariant;
  /** Of `redirect`. */
  location?: string;
}>;

/** Faults of a server, one at a time. */
export function createFaults() {
  let fault: Fault | null = null;
  let timesLeft = 0;
  return {
    set(next: Fault | null): void {
      fault = next;
      timesLeft = next?.times ?? Number.POSITIVE_INFINITY;
    },
    /** The reply to send, changed if the fault applies; null if nothing more may be written. */
    async play(
      target: FaultTarget,
      reply: AirtableReply,
      response: ServerResponse,
    ): Promise<AirtableReply | null> {
      if (fault === null || timesLeft <= 0 || !applies(fault, target)) return reply;
      timesLeft -= 1;
      return toFaultReply(fault, reply) ?? playConnectionFault(fault, reply, response);
    },
  };
}

function applies({ kind, on }: Fault, target: FaultTarget): boolean {
  if (on !== undefined) return on === target;
  return target === 'later pages' || (target === 'first pages' && kind !== 'expired-iterator');
}
