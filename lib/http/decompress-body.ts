import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { createApiError } from './errors/errors.ts';
import { toTooLargeError } from './read-body.ts';

type Decompressor = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const gunzip = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const unzstd = promisify<Uint8Array, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress);

/** What a frame may make the decoder allocate: 8 MiB, which every sender can rely on (RFC 8878 §3.1.1.1.2). */
const zstdParameters = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };

/** The content codings that are read (RFC 9110 §8.4.1). Codex sends zstd where it is signed in. */
const decompressors: Readonly<Record<string, Decompressor>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflate),
  br: promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
  zstd: (body, options) => unzstd(body, { ...options, params: zstdParameters }),
};

/** Decompresses a body, on the thread pool. @throws HttpError 400 if it is damaged, 413 for more than `bytesMax` */
export type Decompress = (body: Uint8Array, bytesMax: number) => Promise<Uint8Array>;

/**
 * How to decompress the body of a request; null if it is not compressed.
 * @throws HttpError 415 for a coding that is not read, or more than one (RFC 9110 §15.5.16)
 */
export function findDecompressor({ headers }: Pick<Request, 'headers'>): Decompress | null {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return null;
  const decompress = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
  if (decompress === undefined) {
    throw createApiError('unsupported_media_type', {
      message:
        'This `Content-Encoding` is not supported: compress the body once, with gzip, deflate, br or zstd, or not at all.',
      headers: { 'Accept-Encoding': 'gzip, deflate, br, zstd' },
    });
  }
  return (body, bytesMax) => decompressWithin(decompress, body, bytesMax);
}

async function decompressWithin(
  decompress: Decompressor,
  body: Uint8Array,
  bytesMax: number,
): Promise<Uint8Array> {
  try {
    return await decompress(body, { maxOutputLength: bytesMax });
  } catch (error) {
    if (error instanceof RangeError) throw toTooLargeError(bytesMax);
    throw createApiError('bad_request', {
      message:
        'The body cannot be decompressed: it is damaged, or not what `Content-Encoding` says.',
    });
  }
}
