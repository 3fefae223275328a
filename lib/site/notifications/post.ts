import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import { parseRetryAfter } from '#lib/http/retry-after.ts';
import type { Attempt } from '#lib/outbox/delivery.ts';
import { toErrorCode } from '#lib/storage/storage-error.ts';
import type { TargetAddress } from './target-guard.ts';

type Post = Readonly<{
  url: URL;
  /** The only ones that are connected to; without them those that the system finds. */
  addresses?: readonly TargetAddress[];
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
  now: () => number;
}>;

export type PostResult = Attempt & Readonly<{ status: number | null }>;

/** Until the status has arrived. */
const timeoutMs = 15_000;

/** Sends a POST and looks at the status and Retry-After. Follows no redirects, and reads no body. Never throws. */
export async function post(options: Post): Promise<PostResult> {
  const { url, addresses, headers, body, signal, now } = options;
  const timeOver = AbortSignal.timeout(timeoutMs);
  const dispatcher = new Agent({
    connect: {
      timeout: timeoutMs,
      ...(addresses !== undefined && { lookup: pin(addresses) }),
    },
    pipelining: 0,
  });
  try {
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.any([signal, timeOver]),
    });
    const { statusCode: status } = response;
    response.body.on('error', () => {}).destroy();
    const isDelivered = status >= 200 && status < 300;
    const retryAfterMs = readRetryAfter(response, now());
    return {
      outcome: isDelivered ? 'delivered' : 'failed',
      result: String(status),
      status,
      ...(retryAfterMs !== null && { retryAfterMs }),
    };
  } catch (error) {
    const isLate = signal.aborted || timeOver.aborted;
    return {
      outcome: 'failed',
      result: isLate ? 'timed out' : describeFailure(error),
      status: null,
    };
  } finally {
    void dispatcher.destroy();
  }
}

/** Of a target that is busy. */
function readRetryAfter(
  { statusCode, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
  nowMs: number,
): number | null {
  const value = headers['retry-after'];
  const isBusy = statusCode === 429 || statusCode === 503;
  return isBusy && typeof value === 'string' ? parseRetryAfter(value, nowMs) : null;
}

/** Instead of asking the DNS again, which might give another address now. */
function pin(addresses: readonly TargetAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

const problems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
  ETIMEDOUT: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  UND_ERR_HEADERS_TIMEOUT: 'timed out',
};

/** Nothing of what the other side has sent: only codes of Node's. */
function describeFailure(error: unknown): string {
  const code = toErrorCode(error);
  if (/CERT|TLS|SSL|SIGNED|ISSUER/.test(code)) return 'certificate not accepted';
  return problems[code] ?? 'no response';
}
