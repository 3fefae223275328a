import { Readable } from 'node:stream';
import type { HttpError } from '#lib/http/errors/errors.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import { heartbeatFrame } from '../stream/sse-frame.ts';
import type { AcceptedRequest } from './generation.ts';

/** How many bytes may be buffered for the client before the upstream is paused. */
const bufferedBytesMax = 64 * 1024;

const streamHeaders: HeaderFields = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-cache, no-transform'],
  ['X-Accel-Buffering', 'no'],
];

/** The target that is being tried. */
export type StreamSource = Readonly<{
  /** The client can take more. */
  resume: () => void;
  /** The client has disconnected. */
  abandon: () => void;
  /** A whole stream that reports a failure, in the protocol of the request. */
  toFailureText: (error: HttpError) => string;
}>;

/** A streamed response, which lives as long as the request: whichever target is tried writes to it. */
export type ClientStream = Readonly<{
  /** The response, as soon as it has been opened. */
  opened: Promise<Response>;
  isOpen: () => boolean;
  hasLeft: () => boolean;
  setSource: (source: StreamSource) => void;
  /** Sends the status and the headers, once. */
  open: (headers: HeaderFields) => Response;
  /** Sends whole frames. False: wait for `resume`. */
  write: (text: string) => boolean;
  end: () => void;
  fail: (error: HttpError) => void;
}>;

/**
 * Opens the response with a comment if nothing else has come within `heartbeatMs`, and sends one after each
 * further silence: intermediaries close silent connections, also before the upstream responds.
 */
export function createClientStream(
  request: Request,
  { heartbeatMs, headers }: Pick<AcceptedRequest, 'heartbeatMs' | 'headers'>,
): ClientStream {
  const { promise: opened, resolve } = Promise.withResolvers<Response>();
  let source: StreamSource | null = null;
  let response: Response | null = null;
  let isEnded = false;
  let hasLeft = false;

  const body = new Readable({
    highWaterMark: bufferedBytesMax,
    read: () => source?.resume(),
    destroy(error, done) {
      leave();
      done(error);
    },
  });

  const heartbeat = setTimeout(() => {
    open(headers);
    body.push(heartbeatFrame);
    heartbeat.refresh();
  }, heartbeatMs);

  function open(given: HeaderFields): Response {
    if (response === null) {
      response = createResponse({ status: 200, headers: [...streamHeaders, ...given], body });
      resolve(response);
    }
    return response;
  }

  function write(text: string): boolean {
    if (isEnded || hasLeft) return true;
    heartbeat.refresh();
    return body.push(text);
  }

  function end(): void {
    isEnded = true;
    clearTimeout(heartbeat);
    body.push(null);
  }

  function leave(): void {
    if (isEnded || hasLeft) return;
    hasLeft = true;
    clearTimeout(heartbeat);
    source?.abandon();
  }

  request.signal.addEventListener('abort', leave);

  return {
    opened,
    isOpen: () => response !== null,
    hasLeft: () => hasLeft,
    setSource(given) {
      source = given;
    },
    open,
    write,
    end,
    fail(error) {
      write(source?.toFailureText(error) ?? '');
      end();
    },
  };
}
