import { afterAll, beforeAll, inject } from 'vitest';
import type { AirtableServer, AirtableServerOptions } from '#lib/demo/airtable/airtable-server.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { readEventList } from './api-responses.ts';
import { send } from './http-client.ts';
import {
  type MarqueeServer,
  startMarquee,
  startMarqueeInProcess,
  startTable,
  toTableSettings,
} from './marquee-server.ts';
import type { SharedServer } from './shared-servers.ts';

type RunningServerOptions = Readonly<{
  /** What stands in the table, instead of the sample. */
  records?: () => AirtableServerOptions['records'];
  /** Whether the front runs in the tests' own process, with stubs for pages. */
  inProcess?: boolean;
}>;

/** A server that is there while a file's tests run, and all events as its API lists them at the start. */
export type RunningServer = MarqueeServer &
  Readonly<{ table: AirtableServer; events: readonly MarqueeEvent[]; slug: string }>;

/** Starts a table and a server on it before the tests of a file (or of a `describe`), and ends both after them. */
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

/** All events as the API lists them at the start of a file's tests. */
export type SharedEventsServer = SharedServer &
  Readonly<{ events: readonly MarqueeEvent[]; slug: string }>;

/** The server of all tests that change nothing: no fault, no clock, no setting, no state. */
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
