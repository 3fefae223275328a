import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

export type ContentEncoding = 'br' | 'gzip' | 'identity';

const compressBrotli = promisify(zlib.brotliCompress);
const compressGzip = promisify(zlib.gzip);

/** Bodies below this many bytes are sent as they are: compressing saves no packet. */
export const compressedBytesMin = 1024;

// Clients send few different headers: each is parsed once.
const remembered = new Map<string, ContentEncoding>();
const rememberedMax = 500;

/** The best encoding that an Accept-Encoding header allows (RFC 9110 §12.5.3): brotli, gzip, else none. */
export function chooseEncoding(acceptEncoding: string | null): ContentEncoding {
  if (acceptEncoding === null) return 'identity';
  const known = remembered.get(acceptEncoding);
  if (known !== undefined) return known;
  const encoding = readEncoding(acceptEncoding);
  if (remembered.size >= rememberedMax) remembered.clear();
  if (acceptEncoding.length <= 200) remembered.set(acceptEncoding, encoding);
  return encoding;
}

function readEncoding(acceptEncoding: string): ContentEncoding {
  const qualities = new Map<string, number>();
  for (const element of acceptEncoding.split(',')) {
    const [coding = '', weight] = element.split(';').map((part) => part.trim().toLowerCase());
    const q = weight?.startsWith('q=') ? Number.parseFloat(weight.slice(2)) : 1;
    if (coding !== '') qualities.set(coding, Number.isFinite(q) ? q : 1);
  }
  const qualityOf = (coding: string) => qualities.get(coding) ?? qualities.get('*') ?? 0;
  const [brotli, gzip] = [
    qualityOf('br'),
    qualityOf(qualities.has('x-gzip') && !qualities.has('gzip') ? 'x-gzip' : 'gzip'),
  ];
  if (brotli > 0 && brotli >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : 'identity';
}

/** How hard to compress: `best` takes 30 times as long, for what changes with a deploy only. */
export type Compression = 'none' | 'usual' | 'best';

/** Compresses what is too long to be compressed at once. */
export function createCompressor(encoding: 'br' | 'gzip'): Transform {
  if (encoding === 'gzip') return zlib.createGzip({ level: 6 });
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window } = zlib.constants;
  // A window of 256 kB, in bits: with the default the first bytes would wait for 8 MB of text.
  return zlib.createBrotliCompress({ params: { [quality]: 4, [window]: 18 } });
}

/** Compresses on the thread pool, once for each representation. */
export function compress(
  body: Uint8Array,
  encoding: 'br' | 'gzip',
  effort: Exclude<Compression, 'none'>,
): Promise<Buffer> {
  if (encoding === 'gzip') return compressGzip(body, { level: effort === 'best' ? 9 : 6 });
  const usual = body.length > 512 * 1024 ? 4 : 6;
  const best = body.length > 256 * 1024 ? 9 : zlib.constants.BROTLI_MAX_QUALITY;
  const quality = effort === 'best' ? best : usual;
  return compressBrotli(body, {
    params: {
      [zlib.constants.BROTLI_PARAM_QUALITY]: quality,
      [zlib.constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
