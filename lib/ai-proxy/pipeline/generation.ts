import type { JsonObject } from '#lib/http/json-value.ts';
import type { MediaCount } from '#lib/spend/usage/estimate-tokens.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import type { UsableKind } from '../models/model.ts';
import type { ReplyBound } from '../protocols/chat/read-request.ts';
import type { FailedResult } from '../protocols/read-result.ts';
import type { ReasoningMark } from '../protocols/reasoning-mark.ts';
import type { FieldLimits } from '../quirks/quirk.ts';
import type { Sent } from '../quirks/quirks.ts';
import type { StreamRelay } from '../stream/stream-relay.ts';
import type { Target } from '../upstreams/select-targets.ts';
import type { Protocol } from '../upstreams/upstream-settings.ts';

/** A complete reply of an upstream; usage is null where nothing was reported, and nothing can be estimated. */
export type CompleteReply =
  | FailedResult
  | Readonly<{ usage: TokenUsage | null; result: JsonObject }>;

/** The request to one target, and how its response is read. */
export type Exchange = Readonly<{
  /** What may be avoided of it follows from this. */
  sent: Sent;
  /** At the upstream. */
  path: `/${string}`;
  /** JSON for the upstream. */
  body: string;
  /** Reads the upstream's complete response. What it used counts, also where it is an error. */
  toResult: (text: string) => CompleteReply;
  /** The largest complete response, if larger than usual. */
  resultBytesMax?: number;
  createRelay: () => StreamRelay;
  /** The client’s own path for one that an upstream names; null: the client has no such field. */
  toOwnParam?: (param: string) => string | null;
}>;

/** What an exchange needs to know of a target. */
export type ExchangeTarget = Pick<Target, 'model' | 'protocols'> &
  Readonly<{ toolCallsMax: number | null; limits: FieldLimits; reasoning: ReasoningMark }>;

/** A result that needs no upstream, and costs nothing. */
export type LocalResult = Readonly<{ result: object }>;

/** A validated generation request. */
export type Generation = Readonly<{
  /** Every model that may generate the reply, the requested one first. */
  models: readonly string[];
  isStream: boolean;
  /** The client wants to know what the reply costs, in its usage. */
  includesCost?: boolean;
  /** Of the newest encrypted reasoning in it; null: none is marked. */
  reasoningMark?: string | null;
  /** Nothing is generated, and nothing is charged. */
  isFree?: boolean;
  promptTokensEstimate: number;
  media: MediaCount;
  /** The shortest reply that is of use. */
  outputTokensMin: number;
  /** The most tokens of each choice; null where the client set no limit. */
  outputTokensMax: number | null;
  /** The number of replies to one prompt (`n` of chat). */
  choices: number;
  /** In the target's own protocol, or translated. @throws HttpError if the target cannot serve it */
  toExchange: (target: ExchangeTarget, bound: ReplyBound) => Exchange | LocalResult;
}>;

/** An API endpoint that generates. */
export type Endpoint = Readonly<{
  /** Its name in usage records. */
  name: string;
  protocol: Protocol;
  modelKind: UsableKind;
  /** Prompts may be tokens: bodies have as many numbers as their size allows. */
  takesTokens?: boolean;
  /** @throws HttpError 400 whose `param` is the first invalid field. */
  read: (body: JsonObject) => Generation;
}>;
