import { type UpstreamSettings, upstreamSchema } from '#lib/config/upstreams-schema.ts';

/** An upstream with the key `k`, and defaults for all that is not given. */
export function makeUpstreamSettings(
  name: string,
  url: string,
  more: Partial<UpstreamSettings> = {},
): UpstreamSettings {
  return { ...upstreamSchema.parse({ name, url, protocols: ['chat'] }), key: 'k', ...more };
}
