import { parseJson } from '#lib/http/read-body.ts';
import { toHealth, toUpstreamError } from '../errors/failure.ts';
import { toErrorInBody } from '../errors/upstream-error.ts';
import type { CallHandler, OpenCall, UpstreamRequest } from './open-call.ts';

export type StartCall = (request: UpstreamRequest, handler: CallHandler) => OpenCall;

/** A complete body being read. */
export type Reading<T> = Readonly<{
  /** Rejects with a HttpError, as a call does, or with the reason of the abort. */
  result: Promise<T>;
  abort: (reason: unknown) => void;
  wasSent: () => boolean;
}>;

type ReadOptions<T> = Readonly<{
  /** @throws HttpError for a body that is no reply: a failure of the upstream like any other. */
  parse: (text: string) => T;
  /** A larger body is a 502. */
  bytesMax: number;
}>;

/** Reads and parses a complete body. */
export function readReply<T>(
  startCall: StartCall,
  request: UpstreamRequest,
  { parse, bytesMax }: ReadOptions<T>,
): Reading<T> {
  const { promise: result, resolve, reject } = Promise.withResolvers<T>();
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
      const text = (chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString();
      try {
        resolve(parse(text));
      } catch (thrown) {
        call.abort(toHealth(thrown));
        reject(thrown);
      }
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

  return { result, abort, wasSent: () => call.wasSent() };
}

/**
 * Parses the body of a 200 response. @throws HttpError: 502 if it is not JSON, or the error that
 * it contains.
 */
export function parseJsonBody(text: string): unknown {
  const body = parseJson(text);
  if (body === undefined) throw toUpstreamError('a 200 that is not JSON');
  const failure = toErrorInBody(body);
  if (failure !== null) throw failure.error;
  return body;
}
