import { type HttpError, toHttpError } from '#lib/http/errors/errors.ts';
import { createResponse } from '#lib/http/response.ts';
import type { ErrorResponder } from '#lib/http/route.ts';
import { shortenWords } from './upstreams/errors/upstream-error.ts';

/** Error responses in the shape of OpenAI's API. */
export const toOpenAiErrorResponse = createErrorResponder(toOpenAiErrorBody);

/** Error responses in the shape of Anthropic's Messages API. */
export const toMessagesErrorResponse = createErrorResponder(toMessagesErrorBody);

function createErrorResponder(toBody: (error: HttpError) => object): ErrorResponder<unknown> {
  return (thrown) => {
    const failure = toHttpError(thrown);
    const response = createResponse({
      status: failure.status,
      headers: [
        ['Content-Type', 'application/json; charset=utf-8'],
        ['Cache-Control', 'no-store'],
        ...(isFinal(failure) ? [['x-should-retry', 'false'] as const] : []),
        ...Object.entries(failure.headers),
      ],
      body: JSON.stringify(toBody(failure)),
    });
    return { failure, response };
  };
}

/** What no repetition heals: SDKs and Claude Code repeat a 401 for minutes unless they are told. */
function isFinal({ status, headers }: HttpError): boolean {
  return status >= 400 && status < 500 && status !== 429 && !('x-should-retry' in headers);
}

/** The fields of OpenAI's errors. */
type OpenAiError = Readonly<{
  message: string;
  type: string;
  param: string | null;
  code: string | null;
  /** When a spent budget is renewed, RFC 3339. */
  resets_at?: string;
}>;

export function toOpenAiError(error: HttpError): OpenAiError {
  const { status, param, resetsAt } = error;
  return {
    message: toMessage(error),
    type: openAiTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error'),
    param,
    code: toClientCode(error),
    ...(resetsAt !== undefined && { resets_at: resetsAt }),
  };
}

/** The body of every error under `/proxy`: always all four keys. */
export function toOpenAiErrorBody(error: HttpError): Readonly<{ error: OpenAiError }> {
  return { error: toOpenAiError(error) };
}

const openAiTypes: Readonly<Record<number, string>> = {
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
};

/** Codes of the events API that OpenAI's clients know by another name. */
const codes: Readonly<Record<string, string | null>> = {
  bad_request: null,
  payload_too_large: 'request_too_large',
};

/** As clients get it. */
export function toClientCode({ code }: HttpError): string | null {
  const known = code === null ? undefined : codes[code];
  return known === undefined ? code : known;
}

function toMessage({ code, message, hint }: HttpError): string {
  if (code === 'payload_too_large') return `${message} ${shortenWords}`;
  return hint === undefined ? message : `${message} ${hint}`;
}

/** The body of an error of the Messages API. */
type MessagesErrorBody = Readonly<{
  type: 'error';
  error: Readonly<{ type: string; message: string; resets_at?: string; details?: object }>;
}>;

const messagesTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

/** An error in Anthropic’s form. It has no `param`: the message names the field. */
export function toMessagesErrorBody(error: HttpError): MessagesErrorBody {
  const { param, resetsAt, details } = error;
  const message = toMessage(error);
  const isNamed = param === null || message.includes(`\`${param}\``);
  return {
    type: 'error',
    error: {
      type: toMessagesType(error),
      message: isNamed ? message : `${param}: ${message}`,
      ...(resetsAt !== undefined && { resets_at: resetsAt }),
      ...(details !== undefined && { details }),
    },
  };
}

/** Claude Code repeats an `overloaded_error` for minutes, whatever the headers say. */
function toMessagesType({ status, headers }: HttpError): string {
  if (status >= 500 && headers['x-should-retry'] === 'false') return 'api_error';
  return messagesTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}
