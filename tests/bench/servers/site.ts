import { startDemoIdentity } from '#lib/cli/demo/demo-servers.ts';
import { startTestModels } from '../../support/models/test-models.ts';
import { type Checkout, startCheckout } from './checkout.ts';
import { findEvent, startEventsTable } from './events-table.ts';
import { signInAsAdmin } from './sign-in.ts';

export type Site = Readonly<{
  url: string;
  event: Awaited<ReturnType<typeof findEvent>>;
  /** Resolves with the cookie of an admin's session. */
  signIn: () => Promise<string>;
  [Symbol.asyncDispose]: () => Promise<void>;
}>;

/** A public page of each kind. `event` is an event's page. */
export const publicPages = [
  '/',
  'event',
  '/calendar',
  '/subscribe',
  '/saved',
  '/models',
  '/embed',
  '/no-such-page',
  '/docs',
  '/docs/api',
  '/docs/ai',
  '/docs/agents',
];

/** The pages of members and admins. */
export const privatePages = [
  '/account',
  '/account/playground',
  '/admin',
  '/admin/members',
  '/admin/keys',
  '/admin/requests',
  '/admin/usage',
  '/admin/upstreams',
  '/admin/events',
  '/admin/groups',
  '/admin/webhooks',
  '/admin/deliveries',
  '/admin/log',
];

// Nothing listens there.
const siteUrl = 'https://events.example';

/** The server of a checkout with the sample events, models and people, for browsers. */
export async function startSite(checkout: Checkout): Promise<Site> {
  const { airtable, environment } = await startEventsTable();
  const models = await startTestModels({ key: 'sk-bench' });
  const identity = await startDemoIdentity(siteUrl, 0);
  const server = await startCheckout(checkout, {
    environment: {
      ...environment,
      ...identity.environment,
      SITE_URL: siteUrl,
      AI_UPSTREAM_URL: models.url,
      AI_UPSTREAM_KEY: models.key,
    },
    processor: 'any',
  });
  return {
    url: server.url,
    event: await findEvent(server.url),
    signIn: () => signInAsAdmin({ siteUrl, serverUrl: server.url }),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await Promise.all([airtable.close(), models.close(), identity.close()]);
    },
  };
}
