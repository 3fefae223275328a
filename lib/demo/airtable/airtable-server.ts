import { createServer, type IncomingMessage } from 'node:http';
import { columns } from '#lib/events/model/field-lists.ts';
import { type LocalServer, listen } from '../listen.ts';
import type { Picture } from '../load-pictures.ts';
import type { AirtableRecord } from './airtable-record.ts';
import {
  type AirtableReply,
  notFoundReply,
  sendReply,
  toErrorReply,
  toJsonReply,
  toRateLimitReply,
} from './airtable-reply.ts';
import { type Attachments, createAttachments } from './attachments.ts';
import { parseListQuery } from './list-query.ts';
import { createRateLimit } from './rate-limit.ts';
import { createRecordIterators, type RecordPage } from './record-iterators.ts';

export type AirtableOptions = Readonly<{
  token: string;
  baseId: string;
  table: string;
  /** The rows of the table; called for the first page of every read. */
  records: () => readonly AirtableRecord[];
}>;

type HandlerOptions = AirtableOptions &
  Readonly<{
    /** Base URL of attachments. */
    url: string;
    /** The files behind attachments; by default those of the sample table. */
    pictures?: ReadonlyMap<string, Picture>;
    now?: () => number;
    requestsPerSecond?: number;
  }>;

/** Starts a local Airtable Web API. */
export async function startAirtableServer(options: AirtableOptions): Promise<LocalServer> {
  const server = createServer();
  const listening = await listen(server);
  const handle = createAirtableHandler({ ...options, url: listening.url });
  server.on('request', (request, response) => sendReply(response, handle(request)));
  return listening;
}

/** Replies as Airtable does to "list records", with paging, limits and errors, and serves signed attachments. */
export function createAirtableHandler(
  options: HandlerOptions,
): (request: IncomingMessage) => AirtableReply {
  const { token, baseId, table, records, now = Date.now, requestsPerSecond = 5 } = options;
  const admit = createRateLimit({ requestsPerSecond, now });
  const iterators = createRecordIterators({ records, now });
  const attachments = createAttachments({ ...options, now });

  function toRejection(request: IncomingMessage, segments: readonly string[]) {
    const [version, requestedBase, requestedTable, ...rest] = segments;
    if (version !== 'v0' || !requestedTable || rest.length > 0 || request.method !== 'GET') {
      return notFoundReply;
    }
    if (request.headers.authorization !== `Bearer ${token}`) return authenticationReply;
    if (requestedBase !== baseId || requestedTable !== table) return noModelReply;
    return admit() ? null : toRateLimitReply();
  }

  function list(params: URLSearchParams): AirtableReply {
    const parsed = parseListQuery(params, new Set(columns));
    if (!parsed.ok) return parsed.reply;
    const opened = iterators.open(parsed.query);
    if (!opened.ok) return opened.reply;
    return toPageReply(opened.page, parsed.query.fields, attachments);
  }

  return (request) => {
    const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
    if (url === null) return notFoundReply;
    if (url.pathname.startsWith('/attachments/')) return attachments.serve(url.pathname);
    const segments = url.pathname.slice(1).split('/').map(decodeSegment);
    return toRejection(request, segments) ?? list(url.searchParams);
  };
}

const authenticationReply = toErrorReply(401, 'AUTHENTICATION_REQUIRED', 'Authentication required');

const noModelReply = toErrorReply(
  403,
  'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND',
  'Invalid permissions, or the requested model was not found. Check that both exist.',
);

function toPageReply(
  page: RecordPage,
  fields: ReadonlySet<string> | null,
  attachments: Attachments,
): AirtableReply {
  const records = page.records.map((record) => toPublicRecord(record, fields, attachments));
  return toJsonReply(200, page.offset === null ? { records } : { records, offset: page.offset });
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
