import type { Environment } from '#lib/config/config.ts';
import {
  type IdentityServer,
  type Person,
  startIdentityServer,
} from '#lib/demo/identity/identity-server.ts';
import { startTestModels } from '../models/test-models.ts';
import { findFreePort } from '../servers/free-port.ts';
import { startMarquee, startTable, toTableSettings } from '../servers/marquee-server.ts';
import { createTestBrowser } from './test-browser.ts';

type SiteOptions = Readonly<{
  /** Who may sign in; by default the people of the demo. */
  people?: readonly Person[];
  settings?: Environment;
  command?: Parameters<typeof startMarquee>[1];
}>;

/** The settings of a site whose members sign in there; Robin Osei (`root`) is its admin. */
export function toMembersSettings(siteUrl: string, identity: IdentityServer): Environment {
  return {
    SITE_URL: siteUrl,
    OIDC_ISSUER: identity.issuer,
    OIDC_CLIENT_ID: identity.clientId,
    OIDC_CLIENT_SECRET: identity.clientSecret,
    MEMBERS_ALLOWED: 'makers.example',
    ADMINS: 'robin@makers.example',
    TRUST_PROXY: '1',
  };
}

/** Starts a site with accounts, models and events of the demo, and nobody in it yet. */
export async function startMembersSite({ people, settings, command }: SiteOptions = {}) {
  const port = await findFreePort();
  const siteUrl = `http://localhost:${port}`;
  const [table, models, identity] = await Promise.all([
    startTable(),
    startTestModels({ key: 'sk-of-the-models' }),
    startIdentityServer({ siteUrl, ...(people && { people }) }),
  ]);
  const environment = {
    ...toTableSettings(table),
    AI_UPSTREAM_URL: models.url,
    AI_UPSTREAM_KEY: models.key,
    PORT: String(port),
    ...toMembersSettings(siteUrl, identity),
    ...settings,
  };
  const server = await startMarquee(environment, command);
  const openBrowser = () => createTestBrowser({ [siteUrl]: server.url });
  /** Signs in with a new browser. @param to where that leads. */
  async function signIn(person: string, to = '/account') {
    const browser = openBrowser();
    const choice = await browser.open(`${siteUrl}/sign-in?to=${encodeURIComponent(to)}`);
    return { browser, page: await browser.submit(choice, choice.url, { person }) };
  }
  return {
    server,
    siteUrl,
    identity,
    openBrowser,
    signIn,
    /** Of a member, with their browser. */
    async makeKey(person: string, name: string) {
      const { browser, page: account } = await signIn(person);
      const page = await browser.submit(account, '/account/keys', { name });
      const [key = ''] = /\bmq_\w{49}\b/.exec(page.text) ?? [];
      return { browser, key };
    },
    async close() {
      await server.stop();
      await Promise.all([table.close(), models.close(), identity.close()]);
    },
  };
}
