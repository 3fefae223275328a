import type { JsonObject } from '#lib/http/json-value.ts';
import type { Log } from '#lib/http/log.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import type { ApiKey } from '#lib/keys/api-key.ts';
import type { Reservation } from '#lib/spend/limits/limits.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import type { UsableKind } from '../models/model.ts';
import type { StreamRelay } from '../stream/stream-relay.ts';
import type { Target } from '../upstreams/target.ts';
import type { RequestAccounting } from './request-accounting.ts';

/** The request to one target, and how its response is read. */
export type Exchange = Readonly<{
  /** At the upstream. */
  path: `/${string}`;
  /** JSON for the upstream. */
  body: string;
  /** Reads the upstream's complete response. @throws HttpError if it is unusable. */
  toResult: (text: string) => Readonly<{ result: object; usage: TokenUsage }>;
  /** The largest complete response, if larger than usual. */
  resultBytesMax?: number;
  createRelay: () => StreamRelay;
}>;

/** The `createRelay` of an endpoint whose schema rejects streams. */
export function neverStreamed(): never {
  throw new TypeError('This endpoint has no stream.');
}

/** A result that needs no upstream, and costs nothing. */
export type LocalResult = Readonly<{ result: object }>;

/** A validated generation request. */
export type Generation = Readonly<{
  /** Every model that may generate the reply, the requested one first. */
  models: readonly string[];
  isStream: boolean;
  promptTokensEstimate: number;
  /** The most tokens of each choice; null where the client set no limit. */
  outputTokensMax: number | null;
  /** The number of replies to one prompt (`n` of chat). */
  choices: number;
  /**
   * In the target's own protocol, or translated. @param outputTokensMax the most tokens of each choice,
   * where it is less than what the client set; null: as the client set it. @throws HttpError if the
   * target cannot serve it.
   */
  toExchange: (
    target: Pick<Target, 'model' | 'protocols'>,
    outputTokensMax: number | null,
  ) => Exchange | LocalResult;
}>;

/** An API endpoint that generates. */
export type Endpoint = Readonly<{
  /** Its name in usage records. */
  name: string;
  modelKind: UsableKind;
  /** Headers that may hold the key where there is no Authorization. */
  keyHeaders?: readonly string[];
  /** @throws HttpError 403 if a key may not use this endpoint. */
  requireAllowed?: (key: ApiKey) => void;
  /** @throws HttpError 400 whose `param` is the first invalid field. */
  read: (body: JsonObject) => Generation;
}>;

/** A request that has passed every check and goes to an upstream. */
export type AcceptedRequest = Readonly<{
  request: Request;
  keyId: string;
  generation: Generation;
  reservation: Reservation;
  /** The bound that upstreams get: see `toExchange`. */
  outputTokensMax: number | null;
  accounting: RequestAccounting;
  /** Rate limit headers of the response. */
  headers: HeaderFields;
  /** How long a stream may be silent before a comment is sent. */
  heartbeatMs: number;
  log: Log;
}>;

/** One of its targets, and the request to it. */
export type Attempt = Readonly<{
  target: Target;
  exchange: Exchange;
  /** There is another target to try, as long as nothing of a reply was sent to the client. */
  mayFailOver: boolean;
  /** How long to wait for a reply to begin; null: as long as the upstream's own time-outs allow. */
  replyWithinMs: number | null;
}>;
