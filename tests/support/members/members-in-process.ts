import type { SignedIn } from '#lib/accounts/sign-in/sessions.ts';
import type { Environment } from '#lib/config/config.ts';
import { type Person, startIdentityServer } from '#lib/demo/identity/identity-server.ts';
import { startMarqueeInProcess } from '../servers/marquee-server.ts';
import { toMembersSettings } from './members-site.ts';
import { createTestBrowser, type Page, type TestBrowser } from './test-browser.ts';

/** Nobody listens there: the test's browsers go to the server in this process. */
const siteUrl = 'http://localhost:4997';

/** A site with accounts in this process, whose pages are stubs; Robin Osei (`root`) is its admin. */
export async function startMembersInProcess(
  settings: Environment = {},
  people?: readonly Person[],
) {
  const identity = await startIdentityServer({ siteUrl, ...(people && { people }) });
  const server = await startMarqueeInProcess(
    { ...toMembersSettings(siteUrl, identity), ...settings },
    // Tests may replace the clock later on.
    { now: () => Date.now() },
  );

  const readCookie = ({ cookies }: TestBrowser, name: string) =>
    cookies.get(`localhost:4997 marquee-${name}`);
  const toSession = (browser: TestBrowser) => readCookie(browser, 'session');

  async function find(browser: TestBrowser): Promise<SignedIn | null> {
    const cookie = `marquee-session=${toSession(browser)}`;
    return (await server.services.members?.findSession(new Headers({ cookie }))) ?? null;
  }

  const open = () => createTestBrowser({ [siteUrl]: server.url });

  async function choose(browser: TestBrowser, choice: Page, person: string): Promise<Page> {
    return browser.submit(choice, choice.url, { person });
  }

  async function signIn(browser: TestBrowser, person: string): Promise<Page> {
    return choose(browser, await browser.open(`${siteUrl}/sign-in`), person);
  }

  return {
    siteUrl,
    server,
    identity,
    open,
    readCookie,
    toSession,
    find,
    /** Signs in on the provider's page. */
    choose,
    signIn,
    /** Returns a new browser. */
    async signInAs(person: string): Promise<TestBrowser> {
      const browser = open();
      await signIn(browser, person);
      return browser;
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
