import { afterAll, beforeAll, inject } from 'vitest';
import type { AirtableServer, AirtableServerOptions } from '#lib/demo/airtable/airtable-server.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { send } from '../clients/http-client.ts';
import { readEventList } from '../responses/api-responses.ts';
import {
  type MarqueeServer,
  startMarquee,
  startMarqueeInProcess,
  startTable,
  toTableSettings,
} from './marquee-server.ts';
import type { SharedServer } from './shared-servers.ts';

type RunningServerOptions = Readonly<{
  /** Rows instead of the sample. */
  records?: () => AirtableServerOptions['records'];
  /** Whether the server runs in this process, with stubs for pages. */
  inProcess?: boolean;
}>;

/** A server for the tests of a file, and the events of its API at the start. */
export type RunningServer = MarqueeServer &
  Readonly<{ table: AirtableServer; events: readonly MarqueeEvent[]; slug: string }>;

/** Starts a table and a server for the tests of a file or `describe`, and stops both after them. */
export function runServerForTests({
  records,
  inProcess = false,
}: RunningServerOptions = {}): RunningServer {
  let table: AirtableServer;
  let server: MarqueeServer;
  let events: readonly MarqueeEvent[] = [];

  beforeAll(async () => {
    table = await startTable(records && { records: records() });
    const start = inProcess ? startMarqueeInProcess : startMarquee;
    server = await start(toTableSettings(table));
    events = readEventList(await send(server, '/api/v1/events')).data;
  });

  afterAll(async () => {
    await server?.stop();
    await table?.close();
  });

  return {
    get url() {
      return server.url;
    },
    get port() {
      return server.port;
    },
    get table() {
      return table;
    },
    get events() {
      return events;
    },
    get slug() {
      return events[0]?.slug ?? '';
    },
    logText: () => server.logText(),
    stop: () => server.stop(),
  };
}

/** The shared server, and the events of its API at the start. */
export type SharedEventsServer = SharedServer &
  Readonly<{ events: readonly MarqueeEvent[]; slug: string }>;

/** The shared server, for tests that change neither its state nor its table. */
export function shareServer(): SharedEventsServer {
  const server = inject('servers').native;
  let events: readonly MarqueeEvent[] = [];

  beforeAll(async () => {
    events = readEventList(await send(server, '/api/v1/events')).data;
  });

  return {
    ...server,
    get events() {
      return events;
    },
    get slug() {
      return events[0]?.slug ?? '';
    },
  };
}
