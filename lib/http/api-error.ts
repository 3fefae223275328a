import type { ErrorCode, HttpError } from './errors.ts';
import { prepareResponse } from './prepared-response.ts';

/** The body of every failure under `/api`. */
export type ApiErrorBody = Readonly<{
  error: string;
  code: ErrorCode;
  message: string;
  hint?: string;
  status: number;
  documentation_url: string;
}>;

export function toApiErrorBody(error: HttpError, siteUrl: string): ApiErrorBody {
  return {
    error: error.message,
    code: error.code,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    status: error.status,
    documentation_url: `${siteUrl}/docs/errors#${error.code}`,
  };
}

/** An error in the form of the events API. Never stored by a cache: the next try may succeed. */
export function respondWithApiError(error: HttpError, siteUrl: string): Response {
  const body = Buffer.from(`${JSON.stringify(toApiErrorBody(error, siteUrl))}\n`);
  return prepareResponse({
    status: error.status,
    headers: [
      'Content-Type',
      'application/json; charset=utf-8',
      'Cache-Control',
      'no-store',
      'Content-Length',
      String(body.length),
      ...Object.entries(error.headers).flat(),
    ],
    body,
  });
}
