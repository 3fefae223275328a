import {
  HttpError,
  type HttpErrorOptions,
  isHttpError,
  toHttpError,
} from '#lib/http/errors/errors.ts';

export type RejectedField = Readonly<{
  name: string;
  /** The values that it takes; none: it does not take the field. */
  values: readonly string[];
  /** It is about what stands in this request, and says nothing of others. */
  isOfRequest?: boolean;
}>;

export type RejectedBound = Readonly<{
  /** The largest that it takes; null: it does not say. */
  outputTokensMax: number | null;
  /** Whether that holds for any request to the model. */
  isOfModel?: boolean;
}>;

/** Why a target has given no reply: with what decides about fail-over, charges, and another try. */
export class UpstreamFailure extends HttpError {
  /** Of the upstream's response, if that was the cause. */
  readonly upstreamStatus: number | null;
  /** The upstream may charge for a request that failed like this. */
  readonly isBillable: boolean;
  /** Another upstream may succeed. */
  readonly isRetryable: boolean;
  /** The upstream takes no reply bound as large as the one it got. */
  readonly rejectedBound: RejectedBound | null;
  /** The upstream cannot read encrypted reasoning of the request. */
  readonly rejectsReasoning: boolean;
  /** The upstream rejects the request, and gives no reason that is known here. */
  readonly isUnexplained: boolean;
  /** Fields of the request that the upstream does not take, or not with their values. */
  readonly rejectedFields: readonly RejectedField[];
  /** Reads an error within a reply once more, with the JSON that the upstream was sent: what it rejects stands in there. */
  readonly readWithSent: ((sent: string) => UpstreamFailure) | null;

  constructor(status: number, options: UpstreamFailureOptions) {
    super(status, options);
    this.upstreamStatus = options.upstreamStatus ?? null;
    this.isBillable = options.isBillable ?? false;
    this.isRetryable = options.isRetryable ?? false;
    this.rejectedBound = options.rejectedBound ?? null;
    this.rejectsReasoning = options.rejectsReasoning ?? false;
    this.isUnexplained = options.isUnexplained ?? false;
    this.rejectedFields = options.rejectedFields ?? [];
    this.readWithSent = options.readWithSent ?? null;
  }

  /** The same with other options. */
  with(options: Partial<UpstreamFailureOptions>): UpstreamFailure {
    const { status, message, cause } = this;
    return new UpstreamFailure(status, { ...this, message, cause, ...options });
  }
}

type UpstreamFailureOptions = HttpErrorOptions &
  Partial<Omit<UpstreamFailure, keyof HttpError | 'with'>>;

/** Anything thrown: what did not come from an upstream costs nothing, and is the same for every target. */
export function toFailure(thrown: unknown): UpstreamFailure {
  if (thrown instanceof UpstreamFailure) return thrown;
  const error = toHttpError(thrown);
  const { status, message, cause } = error;
  return new UpstreamFailure(status, { ...error, message, cause });
}

/** `health` is what it shows about the upstream; `failed` counts towards opening its breaker. */
export type Failure = Readonly<{
  error: UpstreamFailure;
  health: 'failed' | 'unreachable' | 'healthy' | 'unknown';
}>;

/** `message`: if it can be said more exactly than that the upstream failed. */
type CallFailure = Readonly<{ reason: string }> &
  Partial<Pick<UpstreamFailureOptions, 'message' | 'upstreamStatus' | 'isBillable'>>;

/**
 * For agents that repeat whatever they are told, each in its own way: qwen-code and opencode wait for minutes without
 * this header; with a Retry-After, Codex repeats thirty times without a word. A failed upstream's own Retry-After is not
 * passed on: each repetition would wait for it in silence, and the breaker protects the upstream.
 */
const soon = { 'Retry-After-Ms': '500' } as const;
const later = 'This is not about your request; try it again in a little while.';

/** 502: the upstream failed, or its response is unusable. */
export function toUpstreamError(failure: CallFailure): UpstreamFailure {
  return new UpstreamFailure(502, {
    message: `The service behind this model failed. ${later}`,
    ...failure,
    code: 'upstream_error',
    headers: soon,
    isRetryable: true,
  });
}

/** 502: the upstream rejected our account, so the same request is pointless there. */
export function toAccountError(reason: string, upstreamStatus: number): UpstreamFailure {
  return new UpstreamFailure(502, {
    code: 'upstream_error',
    message:
      'The service behind this model does not take requests from this server at present. This is not about your request or your key; the operator has to act.',
    headers: { 'x-should-retry': 'false' },
    reason,
    upstreamStatus,
    isRetryable: true,
  });
}

/** 504: no response, or no complete one, in time. What was sent may cost something. */
export function toTimeoutError(failure: CallFailure): UpstreamFailure {
  return new UpstreamFailure(504, {
    isBillable: true,
    ...failure,
    code: 'upstream_timeout',
    message:
      'The service behind this model did not respond in time. Try again, request less at once, or use a stream.',
    isRetryable: true,
  });
}

/** The client waits no longer for a reply to begin. On a busy machine the request may not even have been sent. */
export function createLateFailure({ wasSent }: Readonly<{ wasSent: boolean }>): UpstreamFailure {
  return toTimeoutError({ reason: wasSent ? 'late' : 'late, and not sent', isBillable: wasSent });
}

type Overload = CallFailure &
  Readonly<{
    /** When it may have room again. */
    retryAfterMs?: number | null;
  }>;

/** 503: overloaded, here or there. */
export function toOverloadedError({ retryAfterMs = null, ...failure }: Overload): UpstreamFailure {
  return new UpstreamFailure(503, {
    message: `The service behind this model is overloaded or out of order. ${later}`,
    ...failure,
    code: 'server_is_overloaded',
    headers: retryAfterMs === null ? soon : toRetryAfter(retryAfterMs),
    isRetryable: true,
  });
}

/** 503: it has failed several times in a row, and gets no requests for a while. Agents that repeat would say nothing. */
export function toBlockedError(waitMs: number): UpstreamFailure {
  const seconds = Math.ceil(waitMs / 1000);
  const error = toOverloadedError({
    message: `The service behind this model is out of order: it has failed several times in a row. This is not about your request; try it again in ${seconds} s, or choose another model.`,
    reason: 'the circuit breaker is open',
  });
  return error.with({ headers: { ...soon, 'x-should-retry': 'false' } });
}

/** 500: a setting is missing. */
export function toMisconfiguredError(variable: string): UpstreamFailure {
  return new UpstreamFailure(500, {
    code: 'server_misconfigured',
    message: `The server lacks a setting for its AI models: its operator has to set ${variable}.`,
    headers: { 'x-should-retry': 'false' },
    reason: `${variable} is not set`,
  });
}

/** undici's error codes. */
const timeouts: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: 'no response in time',
  UND_ERR_BODY_TIMEOUT: 'silent for too long in mid-response',
};

/**
 * A failure below HTTP. `wasSent`: the request may have arrived. Contains neither the error's
 * message nor a URL.
 */
export function toConnectionFailure(error: unknown, wasSent: boolean): Failure {
  const code = toNetworkErrorCode(error);
  const timeout = timeouts[code];
  if (timeout !== undefined)
    return { error: toTimeoutError({ reason: timeout }), health: 'failed' };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    const reason = 'no connection in time';
    return { error: toTimeoutError({ reason, isBillable: false }), health: 'unreachable' };
  }
  const isBillable = wasSent;
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    const reason = 'the client was closed';
    return { error: toOverloadedError({ reason, isBillable }), health: 'unknown' };
  }
  const reason = `${wasSent ? 'the connection broke' : 'no connection'} (${code})`;
  return {
    error: toUpstreamError({ reason, isBillable }),
    health: wasSent ? 'failed' : 'unreachable',
  };
}

/** A code such as `ECONNREFUSED`, or `UNREADABLE` if there is none. */
export function toNetworkErrorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : 'UNREADABLE';
}

/**
 * What an unusable reply shows about the upstream: nothing where the fault is ours; that it works where it rejects the
 * request or our account.
 */
export function toHealth(thrown: unknown): Failure['health'] {
  if (!isHttpError(thrown)) return 'unknown';
  const { status, upstreamStatus, isRetryable } = toFailure(thrown);
  if (status >= 500 && !isRetryable) return 'unknown';
  const isRejection = status !== 504 && upstreamStatus !== null && upstreamStatus < 500;
  return status < 500 || isRejection ? 'healthy' : 'failed';
}

/** Longest Retry-After for clients, in seconds: some wait for hours without a word, SDKs ignore a longer one. */
const secondsMax = 60;

/** The header for the client: whole seconds, 1 to 60. */
export function toRetryAfter(waitMs: number): Readonly<{ 'Retry-After': string }> {
  const seconds = Math.min(Math.max(Math.ceil(waitMs / 1000), 1), secondsMax);
  return { 'Retry-After': String(seconds) };
}

/** The connection or the reply ended early. */
export function createCutFailure(): UpstreamFailure {
  const message = 'The reply ended before it was complete. Try again.';
  return toUpstreamError({ message, reason: 'cut', isBillable: true });
}

/** The upstream's data cannot be parsed. */
export function createGarbageFailure(): UpstreamFailure {
  const message = 'The model’s server sent something unreadable. Try again.';
  return toUpstreamError({ message, reason: 'garbage', isBillable: true });
}

/** Longest reply to buffer; the last event of a Responses stream repeats it: 8 MiB, some 2 million tokens. */
export const replyBytesMax = 8 * 1024 * 1024;

/** The upstream sent a frame, or a complete reply, above the size limit. */
export function createOverflowFailure(): UpstreamFailure {
  const message = 'The model’s server sent more than can be passed on. Ask for a shorter reply.';
  return toUpstreamError({ message, reason: 'too_long', isBillable: true });
}

/** The status in logs and usage records for a client that disconnected early (nginx's number). */
export const clientDisconnectedStatus = 499;

/** Ends the request; no client is left to read it. */
export function createClientDisconnectedError(): UpstreamFailure {
  return new UpstreamFailure(clientDisconnectedStatus, {
    code: 'client_closed_request',
    message: 'The client closed the connection before the response was complete.',
  });
}
