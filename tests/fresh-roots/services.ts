import type { Environment } from '#lib/config/config.ts';
import { type IdentityServer, startIdentityServer } from '#lib/demo/identity/identity-server.ts';
import { startTestModels } from '../support/models/test-models.ts';
import { startPostgres } from '../support/programs/postgres.ts';
import { startTable, toTableSettings } from '../support/servers/marquee-server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { siteUrl } from './pages.ts';

export type Services = Readonly<{
  settings: Environment;
  identity: IdentityServer;
  /** Of PostgreSQL. */
  createDatabase: () => Promise<string>;
  receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
}>;

/** What an operator has elsewhere. */
export async function startServices() {
  const [table, models, identity, postgres, receiver] = await Promise.all([
    startTable(),
    startTestModels({ key: 'sk-of-the-models' }),
    startIdentityServer({ siteUrl }),
    startPostgres(),
    startWebhookReceiver(),
  ]);
  return {
    settings: {
      ...toTableSettings(table),
      AI_UPSTREAM_URL: models.url,
      AI_UPSTREAM_KEY: models.key,
      SITE_URL: siteUrl,
    },
    identity,
    createDatabase: postgres.createDatabase,
    receiver,
    async [Symbol.asyncDispose]() {
      await Promise.all([table, models, identity, postgres, receiver].map(({ close }) => close()));
    },
  };
}
