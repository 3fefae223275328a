import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Environment } from '#lib/config/config.ts';
import {
  type BillingUpstreamOptions,
  startBillingUpstream,
} from '../upstreams/billing-upstream.ts';
import { startProxyWith } from './in-process-proxy.ts';

export type BilledProxyOptions = BillingUpstreamOptions &
  Readonly<{
    environment?: Environment;
    /** Of the upstream in the file, beside all protocols. */
    settings?: object;
    /** Replaces the file with this upstream. */
    toFile?: (origin: string, settings?: object) => object;
  }>;

/** What was recorded. */
export type ChargeSum = Readonly<{
  records: number;
  tokens: number;
  nanoUsd: number;
  estimated: number;
}>;

/** The proxy before an upstream that keeps its own bill. Both stop with the scope. */
export async function startBilledProxy(options: BilledProxyOptions) {
  const { environment, settings, toFile = toUpstreamsFile } = options;
  const upstream = await startBillingUpstream(options);
  const proxy = await startProxyWith(toFile(upstream.origin, settings), environment);
  /** Of a key, or of all. Usage of the last second is written first. */
  async function chargeOf(key: Readonly<{ text: string; record: Readonly<{ id: string }> }>) {
    await (await proxy.view(key.text)).bytes();
    return sumUsage(proxy.dataDir, key.record.id);
  }
  return {
    proxy,
    upstream,
    chargeOf,
    /** Of one request, with a key of its own. */
    async costOf(path: string, body: object, limits: Parameters<typeof proxy.makeKey>[0] = {}) {
      const key = await proxy.makeKey(limits);
      const response = await proxy.post(path, key.text, body);
      await response.bytes();
      return { status: response.status, nanoUsd: (await chargeOf(key)).nanoUsd };
    },
    sumUsage: (keyId: string) => sumUsage(proxy.dataDir, keyId),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

export type BilledProxy = Awaited<ReturnType<typeof startBilledProxy>>;

export function toUpstreamsFile(origin: string, settings: object = {}): object {
  const protocols = ['chat', 'responses', 'messages'];
  const url = `${origin}/v1`;
  const upstream = { name: 'bill', url, keyEnv: 'UPSTREAM_KEY', protocols, ...settings };
  return { upstreams: [upstream] };
}

function sumUsage(dataDir: string, keyId: string): ChargeSum {
  using database = new DatabaseSync(join(dataDir, 'marquee.db'), { readOnly: true });
  const row = database
    .prepare(
      `select count(*) as records, coalesce(sum(tokens_in + tokens_out), 0) as tokens,
        coalesce(sum(cost_nano_usd), 0) as nanoUsd, coalesce(sum(is_estimated), 0) as estimated
      from marquee_usage where key_id = ? and is_counted = 1`,
    )
    .get(keyId);
  return row as ChargeSum;
}
