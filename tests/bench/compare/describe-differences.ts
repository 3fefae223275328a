import { readPage } from '../../support/responses/read-page.ts';
import type { ListedRequest } from './list-requests.ts';
import type { ReceivedResponse } from './send-request.ts';

/** Headers that differ from request to request or from server to server. */
const ignoredHeaders = new Set([
  'vary',
  'link',
  'date',
  'etag',
  'last-modified',
  'age',
  'x-request-id',
  'request-id',
  'x-cache',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
]);

export function describeDifferences(
  request: ListedRequest,
  [before, after]: readonly [ReceivedResponse, ReceivedResponse],
): string[] {
  const differences: string[] = [];
  const add = (what: string, a: string, b: string) => {
    if (a !== b) differences.push(`${what}: ${toExcerpts(a, b)}`);
  };
  add('status', String(before.status), String(after.status));
  for (const name of new Set([...Object.keys(before.headers), ...Object.keys(after.headers)])) {
    if (ignoredHeaders.has(name) && !(name === 'content-length' && request.method === 'HEAD'))
      continue;
    add(name, toComparableHeader(before, name), toComparableHeader(after, name));
  }
  if (isPage(before) && isPage(after)) {
    const [page, otherPage] = [readPage(before.body.toString()), readPage(after.body.toString())];
    add('text', page.text, otherPage.text);
    add('links', page.links.join('\n'), otherPage.links.join('\n'));
  } else {
    add('body', toComparableBody(before), toComparableBody(after));
  }
  return differences;
}

function isPage({ headers }: ReceivedResponse): boolean {
  return headers['content-type']?.startsWith('text/html') ?? false;
}

/**
 * Lifetimes count down with the age of the snapshot, limits are counted from the start of a minute, and each build has
 * hashes of its own scripts.
 */
function toComparableHeader({ headers }: ReceivedResponse, name: string): string {
  const value = headers[name] ?? '(none)';
  if (name === 'content-security-policy') return value.replace(/'sha256-[^']+'/g, "'sha256-…'");
  if (name === 'cache-control') return value.replace(/=\d+/g, '=N');
  return name.startsWith('x-ratelimit-') ? value.replace(/\d+(\.\d+)?/g, 'N') : value;
}

function toComparableBody({ headers, body }: ReceivedResponse): string {
  const type = headers['content-type'] ?? '';
  if (/^(image|font)\//.test(type)) return body.toString('base64');
  return body
    .toString()
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (moment) => (isRecent(moment) ? '…' : moment))
    .replace(/(<lastBuildDate>)[^<]*/g, '$1…')
    .replace(/\/attachments\/[\w-]+\/\d+\/[\w-]+\//g, '/attachments/…/')
    .replace(/"(id|item_id)":"(?:chatcmpl|resp|msg|rs|fc|call)[-_][^"]*"/g, '"$1":"…"')
    .replace(/"(created|created_at|completed_at)":\d+/g, '"$1":0')
    .replace(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '…');
}

/** The moment when a server read the table, in contrast to the dates of events. */
function isRecent(moment: string): boolean {
  return Math.abs(Date.now() - Date.parse(moment)) < 15 * 60_000;
}

const linesMax = 12;

/** The lines that only one of the texts has; of long lines the first place where they differ. */
function toExcerpts(a: string, b: string): string {
  const [before, after] = [a.split('\n'), b.split('\n')];
  const removed = before.filter((line) => !after.includes(line));
  const added = after.filter((line) => !before.includes(line));
  if (before.length < 2 || after.length < 2 || removed.length + added.length === 0) {
    return toFirstDifference(a, b);
  }
  if (removed.length === 1 && added.length === 1) {
    return toFirstDifference(removed[0] ?? '', added[0] ?? '');
  }
  const lines = [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)];
  const more = lines.length > linesMax ? [`… ${lines.length - linesMax} more lines`] : [];
  return ['', ...lines.slice(0, linesMax), ...more]
    .map((line) => (line.length > 160 ? `${line.slice(0, 160)}…` : line))
    .join('\n    ');
}

function toFirstDifference(a: string, b: string): string {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const cut = (text: string) => JSON.stringify(text.slice(Math.max(0, start - 30), start + 70));
  return `${cut(a)} → ${cut(b)}`;
}
