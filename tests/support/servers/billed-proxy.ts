import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Environment } from '#lib/config/config.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import {
  type BillingUpstreamOptions,
  startBillingUpstream,
} from '../upstreams/billing-upstream.ts';
import { startInProcessProxy } from './in-process-proxy.ts';

export type BilledProxyOptions = BillingUpstreamOptions &
  Readonly<{
    environment?: Environment;
    /** Replaces the file with one upstream that has all protocols. */
    toFile?: (origin: string) => object;
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
  const { environment, toFile = toUpstreamsFile } = options;
  const upstream = await startBillingUpstream(options);
  const folder = makeTemporaryFolder();
  const path = join(folder.path, 'upstreams.json');
  writeFileSync(path, JSON.stringify(toFile(upstream.origin)));
  const settings = {
    AI_UPSTREAM_URL: '',
    AI_UPSTREAM_KEY: '',
    AI_MODELS: '',
    AI_UPSTREAMS_FILE: path,
    BILL_KEY: 'sk-bill',
    ...environment,
  };
  const proxy = await startInProcessProxy({ environment: settings });
  return {
    proxy,
    /** For further processes with the same database. */
    settings: { ...settings, DATA_DIR: proxy.dataDir },
    upstream,
    /** Of a key, or of all. Usage of the last second is written first. */
    async chargeOf(key: Readonly<{ text: string; record: Readonly<{ id: string }> }>) {
      await (await proxy.view(key.text)).bytes();
      return sumUsage(proxy.dataDir, key.record.id);
    },
    sumUsage: (keyId: string) => sumUsage(proxy.dataDir, keyId),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

export type BilledProxy = Awaited<ReturnType<typeof startBilledProxy>>;

export function toUpstreamsFile(origin: string): object {
  const protocols = ['chat', 'responses', 'messages'];
  const upstream = { name: 'bill', url: `${origin}/v1`, keyEnv: 'BILL_KEY', protocols };
  return { upstreams: [upstream], models: [] };
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
