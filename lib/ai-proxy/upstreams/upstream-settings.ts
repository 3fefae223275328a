import { type UpstreamsSettings, upstreamSchema } from '#lib/config/upstreams-schema.ts';
import type { Protocol } from '../protocols/protocol.ts';

type SingleUpstream = Readonly<{
  upstreamUrl: string | null;
  upstreamKey: string | null;
  responses: 'native' | 'chat';
  messages: 'native' | 'chat';
}>;

/** The one upstream of the single settings; the name of the missing setting if one is. */
export function toSingleUpstream(
  single: SingleUpstream,
): UpstreamsSettings | 'AI_UPSTREAM_URL' | 'AI_UPSTREAM_KEY' {
  const { upstreamUrl: url, upstreamKey: key, responses, messages } = single;
  if (url === null) return 'AI_UPSTREAM_URL';
  if (key === null) return 'AI_UPSTREAM_KEY';
  const protocols: Protocol[] = ['chat', 'embeddings'];
  if (responses === 'native') protocols.push('responses');
  if (messages === 'native') protocols.push('messages');
  const upstream = upstreamSchema.parse({ name: 'default', url, protocols });
  return { upstreams: [{ ...upstream, key }], models: [] };
}
