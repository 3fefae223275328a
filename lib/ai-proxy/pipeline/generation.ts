import type { Log } from '#lib/http/log.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import type { TokenUsage } from '../metering/token-usage.ts';
import type { StreamRelay } from '../stream/stream-relay.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { RequestAccounting } from './request-accounting.ts';

/** A validated generation request: what to send to the upstream, and how to read its response. */
export type Generation = Readonly<{
  /** Every model that may generate the reply, the requested one first. */
  models: readonly string[];
  isStream: boolean;
  promptTokensEstimate: number;
  /** The most tokens that the reply may have; null where the client set no limit. */
  outputTokensMax: number | null;
  /** At the upstream. */
  path: `/${string}`;
  /** JSON for the upstream. */
  body: string;
  /** Reads the upstream's complete response. @throws ProxyError if it is unusable. */
  toResult: (text: string) => Readonly<{ result: object; usage: TokenUsage }>;
  createRelay: () => StreamRelay;
}>;

/** An API endpoint that generates. */
export type Endpoint = Readonly<{
  /** Its name in usage records. */
  name: string;
  /** @throws ProxyError 400 whose `param` is the first invalid field. */
  read: (body: Uint8Array) => Generation;
}>;

/** A request that has passed every check and goes to the upstream. */
export type AcceptedRequest = Readonly<{
  request: Request;
  generation: Generation;
  upstream: Pick<Upstream, 'call' | 'readText'>;
  accounting: RequestAccounting;
  /** Rate limit headers of the response. */
  headers: HeaderFields;
  /** How long a stream may be silent before a comment is sent. */
  heartbeatMs: number;
  log: Log;
}>;
