import type { Transaction } from 'kysely';
import { feedRows } from '#lib/events/view/representation-table.ts';
import { pageUrl, type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import type { Sender } from '#lib/outbox/delivery.ts';
import { enqueueLatest } from '#lib/outbox/enqueue.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { post } from './post.ts';

/** When the hub may fetch the feeds: once every instance has read what has changed. */
type PingTime = Readonly<{ now: number; delayMs: number }>;

const minuteMs = 60_000;
const retryDelaysMs = [5_000, 5 * minuteMs, 30 * minuteMs, 120 * minuteMs];

/** Tells the hub in the transaction of a change that the unfiltered feeds have changed. */
export async function enqueuePings(
  db: Transaction<Schema>,
  { hub, site }: Readonly<{ hub: string; site: Site }>,
  { now, delayMs }: PingTime,
): Promise<void> {
  const later = delayMs === 0 ? {} : { notBefore: now + delayMs };
  const feeds = [...feedRows.map(({ path }) => toPageUrl(site, path)), pageUrl(site, 'changesRss')];
  for (const payload of feeds) {
    await enqueueLatest(db, { kind: 'ping', target: hub, payload, ...later }, now);
  }
}

type PingSenderOptions = Readonly<{ siteUrl: string; now: () => number }>;

/** Sends pings as hubs take them from publishers: a form with the feed's URL. */
export function createPingSender({ siteUrl, now }: PingSenderOptions): Sender {
  return {
    async send({ target, payload }, signal) {
      const { status: _, ...attempt } = await post({
        url: new URL(target),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': `Marquee-WebSub (+${siteUrl})`,
        },
        body: String(new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': payload })),
        signal,
        now,
      });
      return attempt;
    },
    retryDelaysMs,
    parallelMax: 2,
    finishedMax: 10,
  };
}
