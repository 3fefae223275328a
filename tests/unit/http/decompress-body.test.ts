import zlib from 'node:zlib';
import { expect, test } from 'vitest';
import { findDecompressor } from '#lib/http/decompress-body.ts';

const text = JSON.stringify({ model: 'lantern/wick-3', input: 'Hello. '.repeat(100) });
const bytes = Buffer.from(text);
const bytesMax = bytes.length;

function find(encoding: string) {
  return findDecompressor(new Request('http://a', { headers: { 'content-encoding': encoding } }));
}

async function decompress(encoding: string, body: Uint8Array): Promise<string> {
  const bytesOf = find(encoding);
  if (bytesOf === null) throw new TypeError(`${encoding} is no coding.`);
  return Buffer.from(await bytesOf(body, bytesMax)).toString();
}

const compressors = {
  gzip: zlib.gzipSync,
  'X-GZIP': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
} as const;

const codings = Object.entries(compressors);

test.each(codings)('%s is decompressed', async (encoding, compress) => {
  expect(await decompress(encoding, compress(bytes))).toBe(text);
});

test.each(codings)(
  'more bytes than the bound are a 413 with %s, however few arrive',
  async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(4 * 1024 * 1024));
    await expect(decompress(encoding, bomb)).rejects.toMatchObject({
      status: 413,
      message: `The request body is longer than ${bytesMax} bytes.`,
    });
  },
);

test.each(codings)('a body that is damaged is a 400 with %s', async (encoding, compress) => {
  const whole = compress(bytes);
  const damaged = [whole.subarray(0, whole.length - 5), bytes, Buffer.alloc(0)];
  for (const body of damaged) {
    await expect(decompress(encoding, body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('cannot be decompressed'),
    });
  }
});

test('a zstd frame that wants 128 MiB of memory is a 400', async () => {
  const { ZSTD_c_windowLog, ZSTD_c_contentSizeFlag } = zlib.constants;
  const frame = zlib.createZstdCompress({
    params: { [ZSTD_c_windowLog]: 27, [ZSTD_c_contentSizeFlag]: 0 },
  });
  frame.end(bytes);
  await expect(decompress('zstd', Buffer.concat(await frame.toArray()))).rejects.toMatchObject({
    status: 400,
  });
});

test.each(['', 'identity', ' Identity '])('"%s" is no compression', (encoding) => {
  expect(find(encoding)).toBeNull();
});

test.each(['compress', 'gzip, gzip', 'zstd;q=1', 'toString'])(
  '"%s" is a 415 that names what is read',
  (encoding) => {
    expect(() => find(encoding)).toThrow(
      expect.objectContaining({
        status: 415,
        headers: { 'Accept-Encoding': 'gzip, deflate, br, zstd' },
      }),
    );
  },
);
