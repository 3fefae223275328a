import { toUpstreamError } from './failure.ts';
import type { CallHandler, OpenCall, UpstreamRequest } from './open-call.ts';
import { parseJson } from './parse-json.ts';
import { toErrorInBody } from './refusal.ts';

export type StartCall = (request: UpstreamRequest, handler: CallHandler) => OpenCall;

/**
 * Reads a whole body as text.
 * @throws ProxyError as `call` gives it; 502 where the body has more bytes than it may have, which are not kept.
 * @throws the signal's reason where the request is aborted.
 */
export function fetchText(
  startCall: StartCall,
  request: UpstreamRequest,
  bytesMax: number,
): Promise<string> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onAbort = () => reject(signal?.reason);
    const settle = () => signal?.removeEventListener('abort', onAbort);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const call = startCall(request, {
      onHeaders() {},
      onData(chunk) {
        bytes += chunk.length;
        if (bytes > bytesMax) {
          call.abort();
          settle();
          reject(toUpstreamError(`a body of more than ${bytesMax} bytes`));
          return true;
        }
        chunks.push(chunk);
        return true;
      },
      onEnd() {
        settle();
        resolve(Buffer.concat(chunks).toString());
      },
      onError(error) {
        settle();
        reject(error);
      },
    });
  });
}

/**
 * Reads a body that was answered with 200 as JSON.
 * @throws ProxyError: 502 where it is none, or what it says where it carries an error of its own.
 */
export function parseAnswer(text: string): unknown {
  const body = parseJson(text);
  if (body === undefined) throw toUpstreamError('a 200 that is no JSON');
  const failure = toErrorInBody(body);
  if (failure !== null) throw failure.error;
  return body;
}
