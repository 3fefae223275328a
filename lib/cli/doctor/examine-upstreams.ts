import { createUpstreamLists } from '#lib/ai-proxy/models/load-models.ts';
import { toUpstreamConnection } from '#lib/ai-proxy/upstreams/connection.ts';
import { createUpstream } from '#lib/ai-proxy/upstreams/upstream.ts';
import type { UpstreamSettings, UpstreamsSettings } from '#lib/config/upstreams-schema.ts';
import { isHttpError } from '#lib/http/errors/errors.ts';
import { silentLog } from '#lib/http/log.ts';
import { type Finding, ok, problem } from './finding.ts';

const timeoutMs = 10_000;

/** Reads the list of models of each upstream. */
export async function examineUpstreams({ upstreams }: UpstreamsSettings): Promise<Finding[]> {
  return Promise.all(upstreams.map(examine));
}

async function examine(settings: UpstreamSettings): Promise<Finding> {
  const { name, protocols } = settings;
  const upstream = createUpstream({ ...toUpstreamConnection(settings, timeoutMs), log: silentLog });
  const title = `“${name}” (${protocols.join(', ')})`;
  try {
    const { value } = await createUpstreamLists(upstream, Date.now).current();
    const { language, embedding } = value;
    const text = `${title} lists ${language.length} language and ${embedding.length} embedding models.`;
    return { name: 'upstream', ...ok(text) };
  } catch (error) {
    if (!isHttpError(error)) throw error;
    const reason = error.reason ?? error.code;
    const text = `${title}: its models cannot be listed (${reason}). Check its URL and key.`;
    return { name: 'upstream', ...problem(text) };
  } finally {
    await upstream.close();
  }
}
