import { postJson } from '../../support/clients/post-json.ts';
import { createTestBrowser } from '../../support/members/test-browser.ts';

type SignInOptions = Readonly<{ siteUrl: string; serverUrl: string }>;

/**
 * Signs in as the demo's admin, who then makes a key and uses it: pages have something to show.
 * @returns the session's cookie
 */
export async function signInAsAdmin({ siteUrl, serverUrl }: SignInOptions): Promise<string> {
  const browser = createTestBrowser({ [siteUrl]: serverUrl });
  const choice = await browser.open(`${siteUrl}/sign-in`);
  const account = await browser.submit(choice, choice.url, { person: 'root' });
  const { text } = await browser.submit(account, '/account/keys', { name: 'bench' });
  const [key] = /\bmq_\w{49}\b/.exec(text) ?? [];
  const response = await postJson(`${serverUrl}/proxy/v1/chat/completions`, key ?? '', {
    model: 'lantern-demo/wick-3',
    messages: [{ role: 'user', content: 'What is on this week?' }],
  });
  const session = [...browser.cookies].find(([name]) => name.endsWith('marquee-session'));
  if (!response.ok || session === undefined) throw new Error('Signing in as the admin failed.');
  return `${session[0].split(' ')[1]}=${session[1]}`;
}
