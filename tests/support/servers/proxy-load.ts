import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { postJson } from '../clients/post-json.ts';
import { closeOpenUsage } from '../store-usage.ts';
import { chatPath, toRequestJson, upstreamKey } from './in-process-proxy.ts';
import { makeKeysIn } from './make-key.ts';
import { startMarquee } from './marquee-server.ts';

const pepper = 'pepper'.repeat(8);
const clientCount = 8;

type LoadOptions = Readonly<{
  /** With an empty database. */
  place: DatabaseOptions;
  modelsUrl: string;
}>;

/** Two instances of one database, and clients that send one request after the other until `end`. */
export async function startProxyLoad({ place, modelsUrl }: LoadOptions) {
  const names = Array.from({ length: clientCount }, (_, index) => `client ${index}`);
  const keys = await makeKeysIn(place, pepper, names);
  const settings = {
    DATABASE_URL: place.databaseUrl ?? '',
    DATA_DIR: place.dataDir,
    KEY_PEPPER: pepper,
    AI_UPSTREAM_URL: modelsUrl,
    AI_UPSTREAM_KEY: upstreamKey,
    AI_MODELS: 'lantern-demo/*',
  };
  const instances = [await startMarquee(settings), await startMarquee(settings)];
  for (const instance of instances) onTestFinished(instance.stop);
  const statuses = new Map<number, number>();
  const countOf = (status: number) => statuses.get(status) ?? 0;
  let isOver = false;
  let tokens = 0;
  let longestOutageMs = 0;
  let longest503Ms = 0;

  async function runClient(text: string, index: number): Promise<void> {
    const url = (instances[index % instances.length]?.url ?? '') + chatPath;
    let lastSuccess = performance.now();
    while (!isOver) {
      const sentAt = performance.now();
      const body = toRequestJson(chatPath, 'lantern-demo/wick-3-mini', false);
      const response = await postJson(url, text, body);
      const { usage } = await response.json();
      statuses.set(response.status, countOf(response.status) + 1);
      if (response.status !== 503) {
        tokens += usage.total_tokens;
        longestOutageMs = Math.max(longestOutageMs, performance.now() - lastSuccess);
        lastSuccess = performance.now();
        continue;
      }
      longest503Ms = Math.max(longest503Ms, performance.now() - sentAt);
      expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(5);
      await delay(20);
    }
  }

  const clients = Promise.all(keys.map(({ text }, index) => runClient(text, index)));
  return {
    countOf,
    /** What clients got, and what the database has of it once leases have run out. */
    async end() {
      isOver = true;
      await clients;
      for (const instance of instances) expect(await instance.terminate()).toBe(0);
      const database = await openDatabase(place);
      onTestFinished(database.close);
      await closeOpenUsage(database);
      const records = await database.run((db) =>
        db
          .selectFrom('marquee_usage')
          .select(['tokens_in', 'tokens_out', 'is_estimated'])
          .execute(),
      );
      const sumOf = (rows: typeof records) =>
        rows.reduce((sum, row) => sum + row.tokens_in + row.tokens_out, 0);
      return {
        statuses: [...statuses.keys()].sort(),
        tokens,
        tokensRecorded: sumOf(records),
        tokensReported: sumOf(records.filter((row) => row.is_estimated === 0)),
        drift: await database.balances.audit(),
        /** For people. */
        summary: JSON.stringify({
          statuses: Object.fromEntries(statuses),
          records: records.length,
          estimated: records.filter((row) => row.is_estimated === 1).length,
          longestOutageMs: Math.round(longestOutageMs),
          longest503Ms: Math.round(longest503Ms),
        }),
      };
    },
  };
}
