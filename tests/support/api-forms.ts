import { expect } from 'vitest';
import type { z } from 'zod';
import type { ErrorCode } from '#lib/http/errors.ts';
import { errorStatuses } from '#lib/http/errors.ts';
import { errorSchema, eventItemSchema, eventListSchema } from '#lib/openapi/schemas.ts';
import type { Answer } from './http-client.ts';
import { siteUrl } from './marquee-server.ts';

/** Reads answers in the documented forms, and fails a test where one is in no such form. */

/** What every answer under `/api` carries, errors too. */
export function expectCommonHeaders({ header }: Answer): void {
  expect(header('access-control-allow-origin')).toBe('*');
  const exposed = header('access-control-expose-headers').toLowerCase().split(/,\s*/);
  expect(exposed).toEqual(
    expect.arrayContaining(['etag', 'last-modified', 'link', 'age', 'retry-after', 'x-request-id']),
  );
  expect(header('x-request-id')).toMatch(/^[\w.-]{8,64}$/);
  expect(header('vary').toLowerCase()).not.toContain('origin');
}

export function readEventList(answer: Answer): z.infer<typeof eventListSchema> {
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  expectCommonHeaders(answer);
  const list = parseExactly(eventListSchema, answer);
  expect(list.meta.count).toBe(list.data.length);
  return list;
}

export function readEventItem(answer: Answer): z.infer<typeof eventItemSchema> {
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  expectCommonHeaders(answer);
  return parseExactly(eventItemSchema, answer);
}

/** @param code what the error has to be; any documented one where it is left out. */
export function readApiError(answer: Answer, code?: ErrorCode): z.infer<typeof errorSchema> {
  expectCommonHeaders(answer);
  expect(answer.header('cache-control')).toBe('no-store');
  const error = parseExactly(errorSchema, answer);
  if (code !== undefined) expect(error.code).toBe(code);
  expect(answer.status).toBe(errorStatuses[error.code]);
  expect(error.status).toBe(answer.status);
  expect(error.error).toBe(error.message);
  expect(error.documentation_url).toBe(`${siteUrl}/docs/errors#${error.code}`);
  return error;
}

// Parsing strips what a schema does not know, so equality proves that nothing undocumented was sent.
function parseExactly<T>(schema: z.ZodType<T>, { header, text }: Answer): T {
  expect(header('content-type')).toBe('application/json; charset=utf-8');
  const body: unknown = JSON.parse(text);
  const parsed = schema.parse(body);
  expect(body).toEqual(parsed);
  return parsed;
}
