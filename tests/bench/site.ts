import { startModelServer } from '#lib/demo/models/model-server.ts';
import { type Checkout, startCheckout } from './checkout.ts';
import { findEvent, startEventsTable } from './events-table.ts';

export type Site = Readonly<{
  url: string;
  event: Awaited<ReturnType<typeof findEvent>>;
  [Symbol.asyncDispose]: () => Promise<void>;
}>;

/** The server of a checkout with the sample events and models, for browsers. */
export async function startSite(checkout: Checkout): Promise<Site> {
  const { airtable, environment } = await startEventsTable();
  const models = await startModelServer({ key: 'sk-bench' });
  const server = await startCheckout(checkout, {
    environment: { ...environment, AI_UPSTREAM_URL: models.url, AI_UPSTREAM_KEY: models.key },
    processor: 'any',
  });
  return {
    url: server.url,
    event: await findEvent(server.url),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await Promise.all([airtable.close(), models.close()]);
    },
  };
}
