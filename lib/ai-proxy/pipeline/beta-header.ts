import type { FieldLimits } from '../protocols/chat/optional-fields.ts';
import type { ClientHeaders } from '../upstreams/connection.ts';

const header = 'anthropic-beta';

/** The values of `anthropic-beta`: features of the Messages API that the client expects. Agents always name some. */
export function readBetas(headers: ClientHeaders): readonly string[] {
  const values = (headers.get(header) ?? '').split(',').map((value) => value.trim());
  return values.filter((value) => value !== '');
}

/** The headers of a client, without betas that the upstream does not take. */
export function withTakenBetas(headers: ClientHeaders, limits: FieldLimits): ClientHeaders {
  const taken = limits.get('anthropic_beta');
  if (taken === undefined) return headers;
  const betas = readBetas(headers).filter((beta) => taken.includes(beta));
  const value = betas.length === 0 ? null : betas.join(',');
  return { get: (name) => (name === header ? value : headers.get(name)) };
}
