import { postJson } from '../../support/clients/post-json.ts';
import { createTestBrowser } from '../../support/members/test-browser.ts';

type SignInOptions = Readonly<{ siteUrl: string; serverUrl: string; person: string }>;

/** Signs a person of the demo in. @returns the browser, and the page that it shows */
export async function signIn({ siteUrl, serverUrl, person }: SignInOptions) {
  const browser = createTestBrowser({ [siteUrl]: serverUrl });
  const choice = await browser.open(`${siteUrl}/sign-in`);
  return { browser, page: await browser.submit(choice, choice.url, { person }) };
}

/** Makes a key as a member does. */
export async function makeKey({ browser, page }: Awaited<ReturnType<typeof signIn>>) {
  const { text } = await browser.submit(page, '/account/keys', { name: 'bench' });
  const [key = ''] = /\bmq_\w{49}\b/.exec(text) ?? [];
  return key;
}

/**
 * Signs in as the demo's admin, who then makes a key and uses it: pages have something to show.
 * @returns the session's cookie
 */
export async function signInAsAdmin(site: Omit<SignInOptions, 'person'>): Promise<string> {
  const signedIn = await signIn({ ...site, person: 'root' });
  const url = `${site.serverUrl}/proxy/v1/chat/completions`;
  const response = await postJson(url, await makeKey(signedIn), {
    model: 'lantern-demo/wick-3',
    messages: [{ role: 'user', content: 'What is on this week?' }],
  });
  const session = [...signedIn.browser.cookies].find(([name]) => name.endsWith('marquee-session'));
  if (!response.ok || session === undefined) throw new Error('Signing in as the admin failed.');
  return `${session[0].split(' ')[1]}=${session[1]}`;
}
