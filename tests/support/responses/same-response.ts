import { expect } from 'vitest';
import { decodeBody, type HttpResponse } from '../clients/http-client.ts';

const contentHeaders = [
  'content-type',
  'content-disposition',
  'link',
  'allow',
  'location',
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'access-control-max-age',
  'x-markdown-tokens',
] as const;

/** Expects the same status, headers and body, apart from times. */
export async function expectSameResponse(actual: HttpResponse, expected: HttpResponse) {
  expect(actual.status).toBe(expected.status);
  for (const name of contentHeaders) expect(actual.header(name), name).toBe(expected.header(name));
  expect(toPolicy(actual)).toBe(toPolicy(expected));
  // Next adds its own headers to Vary.
  expect(toNames(actual.header('vary'))).toEqual(
    expect.arrayContaining(toNames(expected.header('vary'))),
  );
  for (const name of ['x-request-id', 'etag']) {
    expect(actual.header(name) !== '', name).toBe(expected.header(name) !== '');
  }
  const [text, expectedText] = [await toComparable(actual), await toComparable(expected)];
  expect(text).toBe(expectedText);
  // Bodies without a time have the same ETag in all processes.
  if (expectedText === expected.text && expectedText !== '') {
    expect(actual.header('etag')).toBe(expected.header('etag'));
  }
}

// Processes read the table at different times, so max-age differs.
function toPolicy({ header }: HttpResponse): string {
  return header('cache-control').replace(/\d+/, 'N');
}

function toNames(list: string): string[] {
  return list.toLowerCase().split(/, */).filter(Boolean);
}

async function toComparable(response: HttpResponse): Promise<string> {
  return (
    (await decodeBody(response))
      .toString()
      .replace(/(<lastBuildDate>)[^<]+/, '$1N')
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, (time) => (isRecent(time) ? 'N' : time))
      .replace(/\/attachments\/[^"\s)]+/g, '/attachments/N')
      // Only one of them may have fetched the picture.
      .replace(/("thumbHash":)(?:null|"[^"]*")/g, '$1N')
  );
}

// The time at which the table was read.
function isRecent(time: string): boolean {
  return Math.abs(Date.now() - Date.parse(time)) < 3_600_000;
}
