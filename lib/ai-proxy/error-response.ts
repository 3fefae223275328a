import type { ErrorResponder } from '#lib/http/errors/catch-errors.ts';
import { isHttpError } from '#lib/http/errors/errors.ts';
import { createResponse } from '#lib/http/response.ts';
import { toMessagesErrorBody } from './protocols/messages/error-body.ts';
import { isProxyError, ProxyError, toProxyErrorBody } from './proxy-error.ts';

/** Error responses in the shape of OpenAI's API. */
export const toOpenAiErrorResponse = createErrorResponder(toProxyErrorBody);

/** Error responses in the shape of Anthropic's Messages API. */
export const toMessagesErrorResponse = createErrorResponder(toMessagesErrorBody);

function createErrorResponder(toBody: (error: ProxyError) => object): ErrorResponder<unknown> {
  return (thrown) => {
    const failure = toProxyError(thrown);
    const response = createResponse({
      status: failure.status,
      headers: [
        ['Content-Type', 'application/json; charset=utf-8'],
        ['Cache-Control', 'no-store'],
        ...Object.entries(failure.headers),
      ],
      body: JSON.stringify(toBody(failure)),
    });
    return { failure, response };
  };
}

/** Converts anything thrown; an unknown error reveals nothing. */
export function toProxyError(thrown: unknown): ProxyError {
  if (isProxyError(thrown)) return thrown;
  if (isHttpError(thrown) && thrown.code !== 'internal_error') {
    const { status, message, hint, code, reason, headers, cause } = thrown;
    return new ProxyError(status, {
      type: status < 500 ? 'invalid_request_error' : 'server_error',
      code: codes[code] ?? code,
      message: hint === undefined ? message : `${message} ${hint}`,
      headers,
      cause,
      ...(reason !== undefined && { reason }),
    });
  }
  return new ProxyError(500, {
    type: 'server_error',
    code: 'internal_error',
    message:
      'Something went wrong on our side. Try again; if it keeps happening, report it with the x-request-id of this response.',
    cause: thrown,
  });
}

/** Codes that differ between the events API and OpenAI's. */
const codes: Readonly<Record<string, string | null>> = {
  bad_request: null,
  payload_too_large: 'request_too_large',
};
