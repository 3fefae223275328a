import type { SignedIn } from '#lib/accounts/sign-in/sessions.ts';
import type { Environment } from '#lib/config/config.ts';
import { startIdentityServer } from '#lib/demo/identity/identity-server.ts';
import { startMarqueeInProcess } from '../servers/marquee-server.ts';
import { createTestBrowser, type Page, type TestBrowser } from './test-browser.ts';

/** Nobody listens there: the test's browsers go to the server in this process. */
const siteUrl = 'http://localhost:4997';

/** A site with accounts in this process, whose pages are stubs; Robin Osei (`root`) is its admin. */
export async function startMembersInProcess(settings: Environment = {}) {
  const identity = await startIdentityServer({ siteUrl });
  const server = await startMarqueeInProcess(
    {
      SITE_URL: siteUrl,
      OIDC_ISSUER: identity.issuer,
      OIDC_CLIENT_ID: identity.clientId,
      OIDC_CLIENT_SECRET: identity.clientSecret,
      MEMBERS_ALLOWED: 'makers.example',
      ADMINS: 'robin@makers.example',
      TRUST_PROXY: '1',
      ...settings,
    },
    // Tests may replace the clock later on.
    { now: () => Date.now() },
  );

  const toSession = ({ cookies }: TestBrowser) => cookies.get('localhost:4997 marquee-session');

  async function find(browser: TestBrowser): Promise<SignedIn | null> {
    const cookie = `marquee-session=${toSession(browser)}`;
    return (await server.services.members?.findSession(new Headers({ cookie }))) ?? null;
  }

  async function choose(browser: TestBrowser, choice: Page, person: string): Promise<Page> {
    return browser.submit(choice, choice.url, { person });
  }

  return {
    siteUrl,
    server,
    identity,
    open: () => createTestBrowser({ [siteUrl]: server.url }),
    toSession,
    find,
    /** Signs in on the provider's page. */
    choose,
    async signIn(browser: TestBrowser, person: string): Promise<Page> {
      return choose(browser, await browser.open(`${siteUrl}/sign-in`), person);
    },
    /** Sends a form of a page, with the session's token. */
    async post(
      browser: TestBrowser,
      path: string,
      { page = '/account', ...fields }: Readonly<Record<string, string>> = {},
    ): Promise<Page> {
      const token = (await find(browser))?.formToken ?? '';
      const body = new URLSearchParams({ token, ...fields });
      const headers = { origin: siteUrl, referer: siteUrl + page };
      return browser.open(siteUrl + path, { method: 'POST', body, headers });
    },
    async close() {
      await server.stop();
      await identity.close();
    },
  };
}

export type MembersInProcess = Awaited<ReturnType<typeof startMembersInProcess>>;
