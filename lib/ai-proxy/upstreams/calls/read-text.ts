import { withOptions } from '#lib/http/errors/errors.ts';
import { toUpstreamError } from '../errors/failure.ts';
import type { UpstreamCall } from './upstream-call.ts';

/** Reads a complete reply. @throws HttpError if the call fails, or for more than `bytesMax` */
export async function readText(call: UpstreamCall, bytesMax: number): Promise<string> {
  await call.opened;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (let chunk = await call.next(); chunk !== null; chunk = await call.next()) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      const error = toUpstreamError({ reason: `a body of more than ${bytesMax} bytes` });
      throw withOptions(error, { wasSent: true, isBillable: true });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
