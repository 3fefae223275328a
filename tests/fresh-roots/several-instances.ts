import { createTestBrowser } from '../support/members/test-browser.ts';
import { expectStatus, first, second, waitUntilReady } from './expect-response.ts';
import { type FreshRoot, startFreshRoot } from './fresh-root.ts';
import { install } from './one-machine.ts';
import { append, readCommands, readFile, siteUrl } from './pages.ts';
import type { Services } from './services.ts';

export async function runOnSeveral(
  [tree, next]: readonly [string, string],
  services: Services,
): Promise<number> {
  await using root = startFreshRoot({
    folders: {
      '/app': tree,
      '/opt/marquee/releases/1.0.0': tree,
      '/opt/marquee/releases/1.1.0': next,
    },
  });
  const key = await install(root, services);
  await moveToPostgres(root, await services.createDatabase());
  await expectStatus(first, key, 200);
  await root.run(readCommands('several-instances').join(''));
  await waitUntilReady(second);
  await expectStatus(second, key, 200);
  await admitMembers(root, services);
  await sendWebhooks(root, services);
  await comeThroughCdn(root);
  await upgrade(root, key);
  return root.commandCount();
}

async function moveToPostgres(root: FreshRoot, databaseUrl: string): Promise<void> {
  const [, , move = ''] = readCommands('backups');
  const [stop = '', backup = '', ...rest] = move.trimEnd().split('\n');
  const settings = `DATABASE_URL=${databaseUrl}\nKEY_PEPPER_FILE=/var/backups/marquee/before-postgres/pepper`;
  await root.run(`${stop}\n${backup}\n${append(settings, '/etc/marquee/env')}\n${rest.join('\n')}`);
  await waitUntilReady(first);
}

async function admitMembers(root: FreshRoot, { identity }: Services): Promise<void> {
  const [settings = '', commands = '', verify = ''] = readCommands('members');
  const own = settings
    .replace('https://id.example/realms/makers', identity.issuer)
    .replace('OIDC_CLIENT_ID=marquee', `OIDC_CLIENT_ID=${identity.clientId}`);
  await root.run(`mkdir -p /run/secrets
    printf '%s' '${identity.clientSecret}' > /run/secrets/oidc
    ${append(own, '/etc/marquee/env')}
    systemctl restart marquee@3000 marquee@3001`);
  await Promise.all([waitUntilReady(first), waitUntilReady(second)]);
  await signIn('ada');
  const output = await root.run(commands);
  if (!output.includes('ada@makers.example')) throw new Error(`Ada is no member: ${output}`);
  const [once = '', withHash = ''] = verify.trimEnd().split('\n');
  const hash = /the hash (\S+)\.$/m.exec(await root.run(once))?.[1];
  await root.run(withHash.replace('HASH', `${hash}`));
}

async function signIn(person: string): Promise<void> {
  const browser = createTestBrowser({ [siteUrl]: first });
  const choice = await browser.open(`${siteUrl}/sign-in?to=%2Faccount`);
  const { status, url } = await browser.submit(choice, choice.url, { person });
  if (status !== 200 || url !== `${siteUrl}/account`) throw new Error(`${status} at ${url}`);
}

async function sendWebhooks(root: FreshRoot, { receiver }: Services): Promise<void> {
  const [commands = ''] = readCommands('notifications');
  const [create = '', list = '', ...rest] = commands.trimEnd().split('\n');
  await root.run(append(`WEBHOOK_HOSTS=${receiver.host}`, '/etc/marquee/env'));
  await root.run(create.replace('https://hooks.example/events', receiver.url));
  const id = /\bwh_\S+/.exec(await root.run(list))?.[0];
  await root.run(rest.join('\n').replaceAll(/\bID\b/g, `${id}`));
  if (receiver.received.length !== 1) throw new Error(`${receiver.received.length} messages came.`);
}

/** The log of nginx says whose request it was: the visitor's, whom the CDN names. */
async function comeThroughCdn(root: FreshRoot): Promise<void> {
  const lines = readFile('cdn', 'text').replace('192.0.2.0/24', '127.0.0.0/8');
  await root.run(`${append(lines, '/etc/marquee/cdn.conf')}
    nginx -t
    systemctl reload nginx
    for attempt in {1..50}; do
      curl --fail --silent --insecure --output /tmp/page --header 'X-Forwarded-For: 203.0.113.9' https://localhost/
      grep -q '^203.0.113.9 ' /var/log/nginx/access.log && break
      sleep 0.1
    done
    grep -q '^203.0.113.9 ' /var/log/nginx/access.log`);
}

/** One after the other, then as from version 1.0, and back. */
async function upgrade(root: FreshRoot, key: string): Promise<void> {
  const [rolling = '', copyFiles = '', fromFirst = '', back = ''] = readCommands('upgrades');
  for (const commands of [copyFiles + rolling, fromFirst, back]) {
    await root.run(commands);
    await Promise.all([waitUntilReady(first), waitUntilReady(second)]);
    await expectStatus(first, key, 200);
    await expectStatus(second, key, 200);
  }
}
