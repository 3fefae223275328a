import { createResponse } from '../response.ts';
import type { HttpError } from './errors.ts';

/** The body of every error under `/api`. */
type ApiErrorBody = Readonly<{
  error: string;
  code: string;
  message: string;
  hint?: string;
  status: number;
  documentation_url: string;
}>;

export function toApiErrorBody(error: HttpError, siteUrl: string): ApiErrorBody {
  const code = error.code ?? 'bad_request';
  return {
    error: error.message,
    code,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    status: error.status,
    documentation_url: `${siteUrl}/docs/errors#${code}`,
  };
}

/** An error of the events API. It is never cached: the next try may succeed. */
export function respondWithApiError(error: HttpError, siteUrl: string): Response {
  return createResponse({
    status: error.status,
    headers: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ...Object.entries(error.headers),
    ],
    body: `${JSON.stringify(toApiErrorBody(error, siteUrl))}\n`,
  });
}
