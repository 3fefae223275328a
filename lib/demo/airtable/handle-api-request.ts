import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson } from '../read-json.ts';
import type { ActiveFault } from './active-fault.ts';
import { type AirtableRecord, eventColumns } from './airtable-record.ts';
import {
  type AirtableReply,
  notFoundReply,
  sendReply,
  toErrorReply,
  toJsonReply,
  toRateLimitReply,
} from './airtable-reply.ts';
import type { StatsCounter } from './airtable-stats.ts';
import type { Attachments } from './attachments.ts';
import { playConnectionFault } from './connection-faults.ts';
import { faultRecords, toFaultReply } from './fault-replies.ts';
import type { Fault } from './faults.ts';
import { parseListQuery, toListParams } from './list-query.ts';
import type { RecordIterators, RecordPage } from './record-iterators.ts';

/** The dependencies of the API. */
export type ApiContext = {
  readonly token: string;
  readonly baseId: string;
  readonly table: string;
  readonly stats: StatsCounter;
  readonly fault: ActiveFault;
  /** Counts a request; false if it exceeds the rate limit. */
  readonly admit: () => boolean;
  readonly iterators: RecordIterators;
  readonly attachments: Attachments;
};

/** Handles everything that Airtable has too: records and attachments. */
export async function handleApiRequest(
  request: IncomingMessage,
  response: ServerResponse,
  context: ApiContext,
): Promise<void> {
  const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
  const pathname = url?.pathname ?? '';
  context.stats.open(response);
  if (pathname.startsWith('/attachments/')) return sendAttachment(pathname, response, context);

  const [, version, base, table, action, ...rest] = pathname.split('/').map(decodeSegment);
  const method = action === 'listRecords' ? 'POST' : action === undefined ? 'GET' : null;
  if (version !== 'v0' || !table || rest.length > 0 || request.method !== method) {
    return sendReply(response, notFoundReply);
  }
  context.stats.count('listRequests');
  const rejection = toRejection(request, { base, table }, context);
  if (rejection) return sendReply(response, rejection);
  const params = method === 'POST' ? toListParams(await readJson(request)) : url?.searchParams;
  return sendList(params ?? unreadableParams, response, context);
}

/** Stands for a body that is not an object: an unknown parameter, and so an error. */
const unreadableParams = new URLSearchParams({ body: 'unreadable' });

const authenticationReply = toErrorReply(401, 'AUTHENTICATION_REQUIRED', 'Authentication required');

const noModelReply = toErrorReply(
  403,
  'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND',
  'Invalid permissions, or the requested model was not found. Check that both exist.',
);

function toRejection(
  request: IncomingMessage,
  { base, table }: { base: string | undefined; table: string },
  context: ApiContext,
): AirtableReply | null {
  if (request.headers.authorization !== `Bearer ${context.token}`) return authenticationReply;
  if (base !== context.baseId || table !== context.table) return noModelReply;
  if (context.admit()) return null;
  context.stats.count('rateLimited');
  // Airtable uses both formats, so both occur here.
  return toRateLimitReply(context.stats.read().rateLimited % 2 === 1 ? 'errors' : 'error');
}

async function sendList(
  params: URLSearchParams,
  response: ServerResponse,
  { attachments, fault, iterators, stats }: ApiContext,
): Promise<void> {
  const offset = params.get('offset');
  const pagesBefore = iterators.countPagesBefore(offset);
  const activeFault = fault.take({ on: 'records', pagesBefore, hasOffset: offset !== null });
  if (activeFault && (await playFault(activeFault, response))) return;
  const parsed = parseListQuery(params, eventColumns);
  if (!parsed.ok) return sendReply(response, parsed.reply);
  const opened = iterators.open(parsed.query);
  if (!opened.ok) return sendReply(response, opened.reply);
  stats.count('pagesServed');
  const records = opened.page.records.map((record) =>
    toPublicRecord(record, parsed.query.fields, attachments),
  );
  const invalidRecords = activeFault?.kind === 'wrong-record' ? faultRecords : [];
  sendReply(response, toPageReply([...invalidRecords, ...records], opened.page));
}

async function sendAttachment(
  pathname: string,
  response: ServerResponse,
  { attachments, fault, stats }: ApiContext,
): Promise<void> {
  const activeFault = fault.take({ on: 'attachments', pagesBefore: 0, hasOffset: false });
  if (activeFault && (await playFault(activeFault, response))) return;
  const reply = attachments.serve(pathname);
  if (reply.status === 200) stats.count('attachmentsServed');
  sendReply(response, reply);
}

/** Plays a fault; returns false if the normal response follows. */
async function playFault(fault: Fault, response: ServerResponse): Promise<boolean> {
  const reply = toFaultReply(fault);
  if (reply === null) return playConnectionFault(fault, response);
  sendReply(response, reply);
  return true;
}

function toPublicRecord(
  record: AirtableRecord,
  fields: ReadonlySet<string> | null,
  attachments: Attachments,
): AirtableRecord {
  const cells = Object.entries(record.fields)
    .filter(([name, value]) => !isEmpty(value) && (fields === null || fields.has(name)))
    .map(([name, value]) => [name, attachments.toCell(value)] as const);
  return { ...record, fields: Object.fromEntries(cells) };
}

function toPageReply(records: readonly unknown[], page: RecordPage): AirtableReply {
  return toJsonReply(200, page.offset === null ? { records } : { records, offset: page.offset });
}

/** Airtable leaves out empty cells. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === '' || value === false;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
