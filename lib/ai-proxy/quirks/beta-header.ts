import type { ClientHeaders } from '../upstreams/connection.ts';

const header = 'anthropic-beta';

/** The values of `anthropic-beta`: features of the Messages API that the client expects. Agents always name some. */
export function readBetas(headers: ClientHeaders): readonly string[] {
  const sent = headers.get(header);
  if (sent === null) return [];
  const values = sent.split(',').map((value) => value.trim());
  return values.filter((value) => value !== '');
}

/** The headers of a client, without betas that the upstream does not take. */
export function withTakenBetas(headers: ClientHeaders, taken: readonly string[]): ClientHeaders {
  const betas = readBetas(headers).filter((beta) => taken.includes(beta));
  const value = betas.length === 0 ? null : betas.join(',');
  return { get: (name) => (name === header ? value : headers.get(name)) };
}

export function hasSameBetas(headers: ClientHeaders, others: ClientHeaders): boolean {
  return readBetas(headers).join() === readBetas(others).join();
}

/** Those that are left of a client’s, where the upstream has named what it does not know; none if it has not. */
export function toTakenBetas(
  rejected: readonly string[],
  headers: ClientHeaders,
): readonly string[] {
  const sent = readBetas(headers);
  const taken = sent.filter((beta) => !rejected.includes(beta));
  return taken.length < sent.length ? taken : [];
}
