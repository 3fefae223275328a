import { expect } from 'vitest';
import { proxyErrors } from '#lib/representations/docs/generated-tables.ts';

const documented = proxyErrors.flatMap(({ status, type, code }) =>
  status.split(', ').map((text) => ({ status: Number(text), type, code })),
);

/** Expects the proxy's documentation to list this status, type and code. */
export function expectDocumented(status: number, { type, code }: { type: unknown; code: unknown }) {
  expect(documented).toContainEqual({ status, type, code });
}
