import { randomUUIDv7 } from 'node:crypto';
import type { HttpError } from '#lib/http/errors/errors.ts';
import type { JsonObject } from '#lib/http/json-value.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import type { GenerationFields } from '../endpoint.ts';
import type { TargetQuirks } from '../quirks/quirk.ts';
import { changeRequest, type Sent } from '../quirks/quirks.ts';
import { isTranslated, type TypedRequest } from '../quirks/types.ts';
import type { StreamRelay } from '../stream/stream-relay.ts';
import type { Target } from '../upstreams/select-targets.ts';
import { boundReply, type ReplyBound } from './chat/chat-request.ts';
import { writeJson } from './json/source-text.ts';
import { type Protocol, type RequestFields, requireProtocol } from './protocol.ts';
import type { FailedResult } from './read-result.ts';
import type { ReasoningMark } from './reasoning-mark.ts';

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
  Readonly<{ toolCallsMax: number | null; quirks: TargetQuirks; reasoning: ReasoningMark }>;

/** Where a request goes, and the bound that it gets. */
export type Sending = ExchangeTarget & Readonly<{ bound: ReplyBound }>;

/** A result that needs no upstream, and costs nothing. */
export type LocalResult = Readonly<{ result: object }>;

/** A validated request to a model. */
export type ModelRequest = RequestFields &
  Readonly<{
    /** Nothing is generated, and nothing is charged. */
    isFree?: boolean;
    /** The number of replies to one prompt (`n` of chat). */
    choices: number;
    /** In the target's own protocol, or translated. @throws HttpError if the target cannot serve it */
    toExchange: (target: ExchangeTarget, bound: ReplyBound) => Exchange | LocalResult;
  }>;

/** An endpoint at which models reply, and how its requests are read. */
export type ModelEndpoint = GenerationFields &
  Readonly<{
    /** @param now Unix time in seconds. @throws HttpError 400 whose `param` is the first invalid field. */
    read: (body: JsonObject, now: () => number) => ModelRequest;
    /** What clients are told instead of an error; null: the same. */
    toOwnError?: (error: unknown) => HttpError | null;
  }>;

/** The `createRelay` of an endpoint whose schema rejects streams. */
export function neverStreamed(): never {
  throw new TypeError('This endpoint has no stream.');
}

/**
 * In which protocol to call an upstream: the client’s own if it speaks that, and has not rejected what is in the request,
 * else translated to chat. @throws HttpError 404 if it speaks neither
 */
export function chooseProtocol(
  own: Protocol,
  request: TypedRequest,
  target: ExchangeTarget,
): Protocol {
  const { protocols, quirks } = target;
  const isAvoided = protocols.has('chat') && isTranslated(request, quirks);
  if (protocols.has(own) && !isAvoided) return own;
  return requireProtocol('chat', protocols, own);
}

/** What is sent to an upstream with Chat Completions, and where. @param request without its bound */
export function sendAsChat(request: JsonObject, sent: Sent, { model, bound, quirks }: Sending) {
  const changed = changeRequest(boundReply(request, bound), sent, quirks);
  return { sent, path: '/chat/completions', body: writeJson({ ...changed, model }) } as const;
}

/** A random id with a prefix: `msg_…`. Ids ascend with time, which makes the ledger's index of replies cheaper. */
export function newId(prefix: string, separator: '_' | '-' = '_'): string {
  // It uses pooled random bytes: calling randomBytes() costs 12 µs each time.
  return `${prefix}${separator}${randomUUIDv7().replaceAll('-', '')}`;
}

/** For a call that its upstream gave none. */
export function newCallId(): string {
  return newId('call');
}
