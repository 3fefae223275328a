import { createUpstreamLists } from '#lib/ai-proxy/models/load-models.ts';
import { isProxyError } from '#lib/ai-proxy/proxy-error.ts';
import { createUpstream } from '#lib/ai-proxy/upstreams/upstream.ts';
import type {
  UpstreamSettings,
  UpstreamsSettings,
} from '#lib/ai-proxy/upstreams/upstream-settings.ts';

const timeoutMs = 10_000;
const silent = { info() {}, warn() {}, error() {} };

/** Reads the list of models of each upstream; one line each. */
export async function examineUpstreams({ upstreams }: UpstreamsSettings): Promise<string[]> {
  return Promise.all(upstreams.map(examine));
}

async function examine({ name, url, key, protocols }: UpstreamSettings): Promise<string> {
  const upstream = createUpstream({
    ...{ name, url, key, log: silent },
    timeouts: { firstByteMs: timeoutMs },
  });
  const title = `Upstream “${name}” (${protocols.join(', ')})`;
  try {
    const { value } = await createUpstreamLists(upstream, Date.now).current();
    const { language, embedding } = value;
    return `${title}: lists ${language.length} language and ${embedding.length} embedding models.`;
  } catch (error) {
    if (!isProxyError(error)) throw error;
    return `${title}: its models cannot be listed (${error.reason ?? error.code}). Check its URL and key.`;
  } finally {
    await upstream.close();
  }
}
