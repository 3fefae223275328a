import { onDisconnect } from '#lib/http/node-request.ts';
import { type BodySink, prepareResponse } from '#lib/http/prepared-response.ts';
import { isProxyError, type ProxyError } from '../proxy-error.ts';
import { createByteRelay } from '../stream/relay-bytes.ts';
import { heartbeatFrame } from '../stream/sse-frame.ts';
import { createGarbageFailure, createOverflowFailure } from '../stream/upstream-failure.ts';
import type { Asked } from './asked.ts';
import { callerLeftStatus, createCallerLeft } from './caller-left.ts';
import type { Generation } from './generation.ts';

/** Longest frame of an upstream that is held in memory, in characters. */
const frameLengthMax = 4 * 1024 * 1024;
/** Most that is read of one stream, in bytes: many times what any model can say. */
const streamBytesMax = 512 * 1024 * 1024;
/** What may wait for the answer to be opened, in characters. */
const heldLengthMax = 64 * 1024;
/** Longest body that may hold an error where a stream was asked for, in bytes. */
const wholeBytesMax = 4 * 1024 * 1024;
/** How long an upstream may take to end after its last frame: its connection then serves another call. */
const lingerMs = 1000;

const streamHeaders: readonly string[] = [
  ...['Content-Type', 'text/event-stream; charset=utf-8'],
  ...['Cache-Control', 'no-cache, no-transform', 'X-Accel-Buffering', 'no'],
];

/**
 * Answers with the reply as it comes. The upstream is read as fast as the caller reads, and left as soon
 * as the caller leaves. A failure before the first byte is thrown; a later one is told in the stream.
 */
export function replyStreamed(asked: Asked): Promise<Response> {
  const { request, generation, upstream, ledger } = asked;
  const relay = generation.createRelay();
  const bytes = createByteRelay(relay, { frameLengthMax, bytesMax: streamBytesMax });
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  /** An upstream that answers a stream with a whole body has an error to tell, most often. */
  let whole: Buffer[] | null = null;
  let wholeBytes = 0;
  let sink: BodySink | null = null;
  let held = '';
  let isOver = false;
  let linger: NodeJS.Timeout | undefined;

  const heartbeat = setTimeout(() => {
    sink?.write(heartbeatFrame);
    heartbeat.refresh();
  }, asked.heartbeatMs);

  function write(text: string): boolean {
    if (text === '') return true;
    ledger.begin();
    heartbeat.refresh();
    if (sink !== null) return sink.write(text);
    held += text;
    return held.length < heldLengthMax;
  }

  /** Everything has been said, well or badly. */
  function finish(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(heartbeat);
    const { failure, usage, hasOutput } = relay;
    if (failure !== null) logFailure(asked, failure);
    ledger.close(200, failure !== null && !hasOutput ? null : usage);
    if (sink !== null) sink.end();
    else answer();
  }

  /** Of a stream that failed nothing more is wanted; one that is whole may not take for ever to end. */
  function leaveUpstream(): void {
    if (relay.failure !== null) call.abort();
    else linger = setTimeout(() => call.abort(), lingerMs).unref();
  }

  function failEarly(error: ProxyError): void {
    isOver = true;
    clearTimeout(heartbeat);
    call.abort();
    reject(error);
  }

  function leave(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(heartbeat);
    call.abort();
    ledger.close(callerLeftStatus, relay.usage);
    reject(createCallerLeft());
  }

  function answer(): void {
    resolve(
      prepareResponse({
        status: 200,
        headers: [...streamHeaders, ...asked.headers],
        body(given) {
          sink = given;
          if (held !== '') sink.write(held);
          held = '';
          if (isOver) return sink.end();
          sink.onDrain(() => call.resume());
          sink.onClose(leave);
          call.resume();
        },
      }),
    );
  }

  const call = upstream.call(
    {
      method: 'POST',
      path: generation.path,
      body: generation.body,
      isStream: true,
      headers: request.headers,
      circuit: generation.models[0] ?? '',
    },
    {
      onHeaders(_status, { contentType }) {
        if (contentType.includes('json')) {
          whole = [];
          return;
        }
        // An error that comes along with the headers is better thrown than told in a stream.
        setImmediate(() => {
          if (!isOver) answer();
        });
      },
      onData(chunk) {
        if (isOver) return true;
        if (whole !== null) {
          wholeBytes += chunk.length;
          if (wholeBytes > wholeBytesMax) failEarly(createOverflowFailure());
          else whole.push(chunk);
          return true;
        }
        const canTakeMore = write(bytes.push(chunk));
        if (relay.failure !== null && !relay.hasOutput && sink === null) {
          failEarly(relay.failure);
        } else if (relay.isDone) {
          finish();
          leaveUpstream();
        }
        return canTakeMore || isOver;
      },
      onEnd() {
        clearTimeout(linger);
        if (isOver) return;
        if (whole !== null) {
          failEarly(readFailure(generation, Buffer.concat(whole).toString()));
          return;
        }
        write(bytes.end());
        if (relay.failure !== null && !relay.hasOutput && sink === null) failEarly(relay.failure);
        else finish();
      },
      onError(error) {
        if (isOver) return;
        if (sink === null && !relay.hasOutput) return failEarly(error);
        write(relay.fail(error));
        finish();
      },
    },
  );
  onDisconnect(request, leave);
  return promise;
}

// Its status was 200 long before, in the usage record as well: nothing else tells of it.
function logFailure({ log, generation }: Asked, { code, reason, cause }: ProxyError): void {
  const model = generation.models[0]?.slice(0, 100);
  const message = 'a reply failed in mid-stream';
  if (code === 'internal_error') log.error({ code, model, err: cause }, message);
  else log.warn({ code, reason, model }, message);
}

function readFailure(generation: Generation, text: string): ProxyError {
  try {
    generation.toResult(text);
  } catch (error) {
    if (isProxyError(error)) return error;
    throw error;
  }
  return createGarbageFailure();
}
