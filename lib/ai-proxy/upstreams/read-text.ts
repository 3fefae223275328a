import { parseJson } from '#lib/http/read-body.ts';
import { toUpstreamError } from './failure.ts';
import type { CallHandler, OpenCall, UpstreamRequest } from './open-call.ts';
import { toErrorInBody } from './upstream-error.ts';

export type StartCall = (request: UpstreamRequest, handler: CallHandler) => OpenCall;

/** A complete body being read. */
export type TextReading = Readonly<{
  /** Rejects with a ProxyError, as a call does, or with the reason of the abort. */
  text: Promise<string>;
  abort: (reason: unknown) => void;
  wasSent: () => boolean;
}>;

/** Reads a complete body as text; above `bytesMax` it is a 502. */
export function readText(
  startCall: StartCall,
  request: UpstreamRequest,
  bytesMax: number,
): TextReading {
  const { promise: text, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const call = startCall(request, {
    onHeaders: () => clearTimeout(timer),
    onData(chunk) {
      bytes += chunk.length;
      if (bytes > bytesMax) abort(toUpstreamError(`a body of more than ${bytesMax} bytes`));
      else chunks.push(chunk);
      return true;
    },
    onEnd() {
      const [only] = chunks;
      resolve((chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString());
    },
    onError(error) {
      clearTimeout(timer);
      reject(error);
    },
  });
  const timer =
    request.replyWithinMs === undefined
      ? undefined
      : setTimeout(() => call.timeOut(), request.replyWithinMs);

  function abort(reason: unknown): void {
    clearTimeout(timer);
    call.abort();
    reject(reason);
  }

  return { text, abort, wasSent: () => call.wasSent() };
}

/**
 * Parses the body of a 200 response. @throws ProxyError: 502 if it is not JSON, or the error that
 * it contains.
 */
export function parseJsonBody(text: string): unknown {
  const body = parseJson(text);
  if (body === undefined) throw toUpstreamError('a 200 that is not JSON');
  const failure = toErrorInBody(body);
  if (failure !== null) throw failure.error;
  return body;
}
