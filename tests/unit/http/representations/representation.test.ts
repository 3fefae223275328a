import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createRepresentation,
  createStreamedRepresentation,
  respondWith,
} from '#lib/http/representations/representation.ts';
import { getOwnParts } from '#lib/http/response.ts';

const lastModifiedMs = Date.parse('2026-03-10T12:00:00.000Z');
const long = 'A line of text that comes again.\n'.repeat(100);

const input: Parameters<typeof createRepresentation>[0] = {
  contentType: 'text/plain; charset=utf-8',
  body: long,
  lastModifiedMs,
  headers: [
    ['Link', '<a>'],
    ['Link', '<b>'],
  ],
};

function makeRepresentation(overrides: Partial<typeof input> = {}) {
  return createRepresentation({ ...input, ...overrides });
}

function get(headers: Record<string, string> = {}) {
  return new Request('http://localhost/x', { headers });
}

function respond(headers: Record<string, string>, overrides: Partial<typeof input> = {}) {
  return respondWith(get(headers), makeRepresentation(overrides), () => 'no-cache');
}

test('equal bytes have equal ETags, other bytes have others', () => {
  const tagOf = async (body: string) =>
    (await makeRepresentation({ body }).encoded('identity')).etag;
  return fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), async (a, b) => {
      expect((await tagOf(a)) === (await tagOf(b))).toBe(a === b);
    }),
  );
});

test('If-Modified-Since with the sent date gives 304', async () => {
  const headers = { 'if-modified-since': 'Tue, 10 Mar 2026 12:00:00 GMT' };
  expect((await respond(headers)).status).toBe(304);
});

test('a short body is not compressed, but has Vary', async () => {
  const response = await respond({ 'accept-encoding': 'br' }, { body: 'short' });
  expect(response.headers.get('content-encoding')).toBeNull();
  expect(response.headers.get('vary')).toBe('Accept-Encoding');
});

test('its negotiated headers come first in Vary', async () => {
  const response = await respond({}, { vary: 'Accept' });
  expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding');
});

/** A new copy of the module, with a compression that counts calls and can fail. Files share modules. */
async function loadWithSpy() {
  const reset = () => {
    vi.doUnmock('#lib/http/representations/content-encoding.ts');
    vi.resetModules();
  };
  vi.resetModules();
  vi.doMock('#lib/http/representations/content-encoding.ts', { spy: true });
  onTestFinished(reset);
  const { compress } = await import('#lib/http/representations/content-encoding.ts');
  return {
    compress: vi.mocked(compress),
    ...(await import('#lib/http/representations/representation.ts')),
  };
}

test('a hundred concurrent first requests compress once', async () => {
  const { compress, createRepresentation, respondWith } = await loadWithSpy();
  const representation = createRepresentation(input);
  const responses = await Promise.all(
    Array.from({ length: 100 }, () =>
      respondWith(get({ 'accept-encoding': 'br' }), representation, () => 'no-cache'),
    ),
  );
  expect(new Set(responses.map((response) => response.headers.get('etag'))).size).toBe(1);
  expect(compress).toHaveBeenCalledTimes(1);
});

test('a failed compression is retried', async () => {
  const { compress, createRepresentation, respondWith } = await loadWithSpy();
  const representation = createRepresentation(input);
  compress.mockRejectedValueOnce(new Error('out of memory'));
  const respondAgain = () =>
    respondWith(get({ 'accept-encoding': 'gzip' }), representation, () => 'no-cache');
  await expect(respondAgain()).rejects.toThrow();
  const second = await respondAgain();
  expect(gunzipSync(await second.bytes()).toString()).toBe(long);
});

test('a view into a larger buffer is sent without the rest of it', async () => {
  const body = Buffer.from(`before${long}after`).subarray(6, 6 + long.length);
  expect(await (await respond({}, { body })).text()).toBe(long);
});

test('headers added to one response do not appear in the next', async () => {
  const representation = makeRepresentation();
  const first = await respondWith(get(), representation, () => 'no-cache');
  first.headers.set('x-request-id', 'first');
  const second = await respondWith(get(), representation, () => 'no-cache');
  expect(second.headers.get('x-request-id')).toBeNull();
});

// RFC 9110 §13.1.1, §13.1.4, §13.2.2
test('a precondition that does not hold gives a 412, which is not cached', async () => {
  const etag = (await respond({})).headers.get('etag') ?? '';
  const brotli = (await respond({ 'accept-encoding': 'br' })).headers.get('etag') ?? '';
  const statusOf = async (headers: Record<string, string>) => (await respond(headers)).status;
  for (const ifMatch of [etag, '*', `"other, one", ${etag}`]) {
    expect(await statusOf({ 'if-match': ifMatch }), ifMatch).toBe(200);
  }
  expect(await statusOf({ 'if-match': brotli, 'accept-encoding': 'br' })).toBe(200);
  for (const ifMatch of ['"other"', `W/${etag}`, brotli]) {
    expect(await statusOf({ 'if-match': ifMatch }), ifMatch).toBe(412);
  }
  const [before, after] = ['Tue, 10 Mar 2026 11:59:59 GMT', 'Tue, 10 Mar 2026 12:00:00 GMT'];
  expect(await statusOf({ 'if-unmodified-since': before })).toBe(412);
  expect(await statusOf({ 'if-unmodified-since': after })).toBe(200);
  expect(await statusOf({ 'if-unmodified-since': 'yesterday' })).toBe(200);
  expect(await statusOf({ 'if-unmodified-since': before, 'if-match': etag })).toBe(200);
  expect(await statusOf({ 'if-none-match': etag, 'if-match': '"other"' })).toBe(412);
  const failed = await respond({ 'if-match': '"other"' });
  expect(failed.headers.get('cache-control')).toBe('no-store');
  expect(failed.headers.get('etag')).toBe(etag);
});

/** A streamed representation of `text`, and how often it was begun and ended. */
function makeStreamed(text: Iterable<string> = long.match(/.{1,100}/gsu) ?? []) {
  const seen = { begun: 0, ended: 0 };
  function* parts() {
    seen.begun++;
    try {
      yield* text;
    } finally {
      seen.ended++;
    }
  }
  const { body: _, ...options } = input;
  const representation = createStreamedRepresentation({ parts }, { ...options, key: 'list 7' });
  const respond = (headers: Record<string, string>) =>
    respondWith(get(headers), representation, () => 'no-cache');
  return { seen, respond };
}

test.for([
  ['identity', (bytes: Buffer) => bytes],
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const)('what is streamed as %s is written for each response', async ([encoding, decode]) => {
  const { respond, seen } = makeStreamed();
  const responses = [await respond({ 'accept-encoding': encoding })];
  responses.push(await respond({ 'accept-encoding': encoding }));
  for (const response of responses) {
    expect(decode(Buffer.from(await response.arrayBuffer())).toString()).toBe(long);
    expect(response.headers.get('content-length')).toBeNull();
  }
  expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(1);
  expect(seen).toEqual({ begun: 2, ended: 2 });
});

test('what is streamed has an ETag in each encoding, by its key, and is not begun for a 304', async () => {
  const { respond, seen } = makeStreamed();
  const tags = await Promise.all(
    ['identity', 'gzip', 'br'].map(async (encoding) => {
      const { headers } = await respond({ 'accept-encoding': encoding });
      return headers.get('etag') ?? '';
    }),
  );
  expect(new Set(tags).size).toBe(3);
  const [etag = ''] = tags;
  expect((await respond({ 'if-none-match': etag })).status).toBe(304);
  expect(seen.begun).toBe(0);
});

test.for(['identity', 'gzip', 'br'])(
  'a client that leaves ends what is streamed to it as %s, before more of it is sent',
  async (encoding) => {
    const { respond, seen } = makeStreamed(endlessText());
    const response = await respond({ 'accept-encoding': encoding });
    const body = getOwnParts(response)?.body;
    if (!(body instanceof Readable)) throw new Error('no stream');
    body.resume();
    await vi.waitFor(() => expect(seen.begun).toBe(1));
    body.destroy();
    await vi.waitFor(() => expect(seen.ended).toBe(1));
  },
);

/** Each part takes a time slice, and has so little that it is never enough for a compressed block. */
function* endlessText() {
  for (;;) {
    const ends = performance.now() + 2;
    while (performance.now() < ends);
    yield 'x';
  }
}
