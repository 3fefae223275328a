import { expect } from 'vitest';
import type { z } from 'zod';
import type { ErrorCode } from '#lib/http/errors/errors.ts';
import { errorStatuses } from '#lib/http/errors/errors.ts';
import {
  errorSchema,
  eventItemSchema,
  eventListSchema,
} from '#lib/representations/openapi/schemas.ts';
import type { HttpResponse } from '../clients/http-client.ts';
import { siteUrl } from '../servers/marquee-server.ts';

/** Expects the headers of every response under `/api`, errors included. */
export function expectCommonHeaders({ header }: HttpResponse): void {
  expect(header('access-control-allow-origin')).toBe('*');
  const exposed = header('access-control-expose-headers').toLowerCase().split(/,\s*/);
  expect(exposed).toEqual(
    expect.arrayContaining(['etag', 'last-modified', 'link', 'age', 'retry-after', 'x-request-id']),
  );
  expect(header('x-request-id')).toMatch(/^[\w.-]{8,64}$/);
  expect(header('vary').toLowerCase()).not.toContain('origin');
}

export function readEventList(response: HttpResponse): z.infer<typeof eventListSchema> {
  expect(response.status, response.text.slice(0, 300)).toBe(200);
  expectCommonHeaders(response);
  const list = parseExactly(eventListSchema, response);
  expect(list.meta.count).toBe(list.data.length);
  return list;
}

export function readEventItem(response: HttpResponse): z.infer<typeof eventItemSchema> {
  expect(response.status, response.text.slice(0, 300)).toBe(200);
  expectCommonHeaders(response);
  return parseExactly(eventItemSchema, response);
}

/** Parses an error of the API. @param code the expected one; by default any. */
export function readApiError(
  response: HttpResponse,
  code?: ErrorCode,
): z.infer<typeof errorSchema> {
  expectCommonHeaders(response);
  expect(response.header('cache-control')).toBe('no-store');
  const error = parseExactly(errorSchema, response);
  if (code !== undefined) expect(error.code).toBe(code);
  expect(response.status).toBe(errorStatuses[error.code]);
  expect(error.status).toBe(response.status);
  expect(error.error).toBe(error.message);
  expect(error.documentation_url).toBe(`${siteUrl}/docs/errors#${error.code}`);
  return error;
}

// Parsing strips unknown fields, so equality means that there are none.
function parseExactly<T>(schema: z.ZodType<T>, { header, text }: HttpResponse): T {
  expect(header('content-type')).toBe('application/json; charset=utf-8');
  const body: unknown = JSON.parse(text);
  const parsed = schema.parse(body);
  expect(body).toEqual(parsed);
  return parsed;
}
