import { setTimeout as delay } from 'node:timers/promises';
import type { TestAirtable } from '../../support/airtable/test-airtable.ts';
import { startMarquee, startTable, toTableSettings } from '../../support/servers/marquee-server.ts';
import { makeRecord } from '../../support/upstreams/upstream.ts';
import { warmPages } from './warm-pages.ts';

type Records = Parameters<TestAirtable['setRecords']>[0];

/** A site whose table tests change, without AI models. */
export type ChangingSite = Readonly<{
  url: string;
  /** Shows these events: returns when neither the API nor a page shows others. */
  showEvents: (records: Records) => Promise<void>;
  /** Changes the table, also below open tabs, which follow later. */
  changeTable: (records: Records) => void;
  /** From now on the table cannot be read, and the server has lost what it had read, as after a restart. */
  breakTable: () => Promise<void>;
  repairTable: () => void;
}>;

const cacheSeconds = 1;

export async function startChangingSite() {
  const records = [makeRecord({ Name: 'first', 'Start Date': '2026-01-01' })];
  const table = await startTable({ records });
  const settings = { ...toTableSettings(table), EVENTS_CACHE_SECONDS: String(cacheSeconds) };
  const start = async (port = '') => {
    const started = await startMarquee({
      ...settings,
      PORT: port,
      SLACK_WORKSPACE_URL: 'https://makers.slack.example',
    });
    await warmPages(started.url, ['/', '/events/first', '/docs', '/saved']);
    return started;
  };
  let server = await start();
  let shown: Records | null = null;
  const site: ChangingSite = {
    url: server.url,
    async showEvents(records) {
      if (records === shown) return;
      site.changeTable(records);
      site.repairTable();
      // Then everything that was made of an earlier read has expired.
      await delay(cacheSeconds * 1000);
      shown = records;
    },
    changeTable(records) {
      shown = null;
      table.setRecords(records);
    },
    async breakTable() {
      shown = null;
      table.setFault({ kind: '500-html' });
      await server.stop();
      server = await start(String(server.port));
    },
    repairTable: () => table.setFault(null),
  };
  const close = async () => {
    await server.stop();
    await table.close();
  };
  return { site, close };
}
