import { beforeAll, inject } from 'vitest';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import type { RecordSource } from '../airtable/test-airtable.ts';
import { send } from '../clients/http-client.ts';
import { forTests } from '../for-tests.ts';
import { readEventList } from '../responses/api-responses.ts';
import { startSite, startSiteInProcess } from './marquee-server.ts';
import type { SharedServer } from './shared-servers.ts';

type RunningServerOptions = Readonly<{
  /** Rows instead of the sample. */
  records?: RecordSource;
  /** Whether the server runs in this process, with stubs for pages. */
  inProcess?: boolean;
}>;

/** A table and a server for the tests of a file or `describe`, and the events of its API at the start. */
export function runServerForTests({ inProcess = false, ...options }: RunningServerOptions = {}) {
  return forTests(async () => {
    const site = await (inProcess ? startSiteInProcess : startSite)(options);
    const events = await readEvents(site);
    return { ...site, events, slug: events[0]?.slug ?? '' };
  });
}

/** The shared server, and the events of its API at the start. */
export type SharedEventsServer = SharedServer &
  Readonly<{ events: readonly MarqueeEvent[]; slug: string }>;

/** The shared server, for tests that change neither its state nor its table. */
export function shareServer(): SharedEventsServer {
  const server = inject('servers').native;
  let events: readonly MarqueeEvent[] = [];

  beforeAll(async () => {
    events = await readEvents(server);
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

async function readEvents(server: Readonly<{ port: number }>) {
  return readEventList(await send(server, '/api/v1/events')).data;
}
