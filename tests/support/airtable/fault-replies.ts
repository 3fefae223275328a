import {
  type AirtableReply,
  toErrorReply,
  toJsonReply,
  toRateLimitReply,
} from '#lib/demo/airtable/airtable-reply.ts';
import { iteratorGoneReply } from '#lib/demo/airtable/record-iterators.ts';
import { faultCanary } from '../fault-canary.ts';
import type { Fault, WrongSchemaVariant } from './faults.ts';

/** Faults that are always the same response. */
const replies: Readonly<Partial<Record<Fault['kind'], AirtableReply>>> = {
  401: toErrorReply(401, 'AUTHENTICATION_REQUIRED', `Authentication required ${faultCanary}`),
  403: toErrorReply(403, 'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND', faultCanary),
  404: toJsonReply(404, { error: 'NOT_FOUND', note: faultCanary }),
  422: toErrorReply(422, 'INVALID_REQUEST_UNKNOWN', `Invalid request: ${faultCanary}`),
  429: toErrorReply(429, 'RATE_LIMIT_REACHED', `Too many requests ${faultCanary}`),
  '429-errors': toRateLimitReply(faultCanary),
  '429-billing': toErrorReply(
    429,
    'PUBLIC_API_BILLING_LIMIT_EXCEEDED',
    `Monthly quota ${faultCanary}`,
  ),
  '500-html': toHtmlReply(500),
  '502-html': toHtmlReply(502),
  '200-html': toHtmlReply(200),
  'broken-json': toTextReply(
    `{"records":[{"id":"recBroken000000","fields":{"Name":"${faultCanary}"`,
  ),
  'expired-iterator': iteratorGoneReply,
};

/** Faults that are a complete response; null for faults of the connection (`hang`, `drip`…). */
export function toFaultReply(fault: Fault, reply: AirtableReply): AirtableReply | null {
  switch (fault.kind) {
    case '503':
      return toUnavailableReply(fault.retryAfterSeconds);
    case 'wrong-record': {
      const { records = [], ...page } = JSON.parse(String(reply.body));
      return toJsonReply(200, { ...page, records: [...wrongRecords, ...records] });
    }
    case 'wrong-schema':
      return toTextReply(wrongSchemaBodies[fault.variant ?? 'records-text']);
    case 'redirect': {
      const location = fault.location ?? `http://elsewhere.example/${faultCanary}`;
      return { status: 302, body: faultCanary, headers: { location } };
    }
    default:
      return replies[fault.kind] ?? null;
  }
}

/** Values that are not records. */
const wrongRecords: readonly unknown[] = [
  null,
  7,
  faultCanary,
  [],
  {},
  { id: 5, createdTime: '2026-01-02T03:04:05.000Z', fields: { Name: faultCanary } },
  { id: 'recNoFields0000a', createdTime: '2026-01-02T03:04:05.000Z' },
  { id: 'recNullFields00b', createdTime: '2026-01-02T03:04:05.000Z', fields: null },
  { id: 'recTextFields00c', createdTime: '2026-01-02T03:04:05.000Z', fields: faultCanary },
  { createdTime: '2026-01-02T03:04:05.000Z', fields: { Name: faultCanary } },
];

const wrongSchemaBodies: Readonly<Record<WrongSchemaVariant, string>> = {
  'records-text': JSON.stringify({ records: faultCanary }),
  'records-missing': JSON.stringify({ rows: [faultCanary] }),
  'records-object': JSON.stringify({ records: { first: faultCanary } }),
  'offset-number': JSON.stringify({ records: [], offset: 7, note: faultCanary }),
  // Always the same offset: a reader without a limit never ends.
  'offset-endless': JSON.stringify({ records: [], offset: 'itrEndless000000/recEndless000000' }),
  array: JSON.stringify([faultCanary]),
  text: JSON.stringify(faultCanary),
  number: '7',
  null: 'null',
  'error-in-200': JSON.stringify({ error: { type: 'SERVER_ERROR', message: faultCanary } }),
  'empty-body': '',
};

function toTextReply(body: string): AirtableReply {
  return { status: 200, body, headers: { 'content-type': 'application/json; charset=utf-8' } };
}

function toHtmlReply(status: number): AirtableReply {
  const body = `<!doctype html><html><body><h1>${status}</h1><p>${faultCanary}</p></body></html>`;
  return { status, body, headers: { 'content-type': 'text/html; charset=utf-8' } };
}

function toUnavailableReply(retryAfterSeconds: number | undefined): AirtableReply {
  const reply = toErrorReply(503, 'RETRIABLE_ERROR', `Try again ${faultCanary}`);
  if (retryAfterSeconds === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfterSeconds) } };
}
