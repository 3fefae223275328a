import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { createOpenApiDocument, type Operation } from '#lib/representations/openapi/document.ts';
import type { HttpResponse } from '../clients/http-client.ts';
import { testSite } from '../test-site.ts';

const document = createOpenApiDocument(testSite);
// Patterns say what the formats do; the extensions of OpenAPI are no keywords of JSON Schema.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'openapi');

export type DocumentedOperation = Operation & Readonly<{ path: string }>;

/** The operations of the OpenAPI document, with their paths. */
export const documentedOperations: readonly DocumentedOperation[] = Object.entries(
  document.paths,
).map(([path, { get }]) => ({ path, ...get }));

/** Expects a response that the OpenAPI document has: its status, media type and body. */
export function expectDocumented(
  { path, responses }: DocumentedOperation,
  response: HttpResponse,
): void {
  const shown = `${path} ${response.status} ${response.text.slice(0, 300)}`;
  const documented = responses[response.status];
  expect(documented, shown).toBeDefined();
  const content = documented?.content ?? {};
  if (Object.keys(content).length === 0) {
    expect(response.text, shown).toBe('');
    return;
  }
  const [type = ''] = response.header('content-type').split(';');
  expect(Object.keys(content), shown).toContain(type);
  const pointer = ['paths', path, 'get', 'responses', response.status, 'content', type, 'schema']
    .map((part) => encodeURIComponent(String(part).replace(/~/g, '~0').replace(/\//g, '~1')))
    .join('/');
  const body = type.endsWith('json') ? JSON.parse(response.text) : response.text;
  const validate = ajv.getSchema(`openapi#/${pointer}`);
  if (validate === undefined) throw new Error(`no schema at ${pointer}`);
  expect(validate(body), `${shown}\n${ajv.errorsText(validate.errors)}`).toBe(true);
}
