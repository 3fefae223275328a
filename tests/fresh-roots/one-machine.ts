import type { Environment } from '#lib/config/config.ts';
import { expectStatus, first, waitUntilReady } from './expect-response.ts';
import { type FreshRoot, startFreshRoot } from './fresh-root.ts';
import { append, readCommands, readFile } from './pages.ts';
import type { Services } from './services.ts';

export async function runOnOneMachine(tree: string, services: Services): Promise<number> {
  await using root = startFreshRoot({
    folders: { '/app': tree, '/opt/marquee/releases/1.0.0': tree },
  });
  const key = await install(root, services);
  await root.run('curl --fail --silent --insecure https://localhost/api/v1/events?limit=1');
  await root.run(
    'curl --fail --silent http://127.0.0.1:13000/metrics | grep marquee_table_read_ok',
  );
  await expectStatus(first, key, 200);
  const [backup = '', restore = ''] = readCommands('backups');
  await root.run(backup + restore);
  await waitUntilReady(first);
  await expectStatus(first, key, 200);
  const [rotate = '', revoke = ''] = readCommands('security');
  const rotated = findKey(await root.run(rotate));
  await expectStatus(first, rotated, 200);
  await expectStatus(first, key, 401);
  await root.run(revoke);
  await expectStatus(first, rotated, 401);
  await addHeaderForSubdomains(root);
  await watchWithPrometheus(root);
  return root.commandCount();
}

/** The lines of the page about security, where it says. */
async function addHeaderForSubdomains(root: FreshRoot): Promise<void> {
  const lines = readFile('security', 'nginx');
  await root.run(append(lines, '/tmp/lines'));
  await root.run(`sed -i -e '/ssl_certificate_key/r /tmp/lines' -e '/^    location \\/ {/r /tmp/lines' /etc/nginx/conf.d/marquee.conf
    nginx -t
    systemctl reload nginx`);
  const name = 'strict-transport-security';
  for (const path of ['/', '/proxy/v1/models']) {
    await root.run(`for attempt in {1..50}; do
      [ "$(curl --silent --insecure --head https://localhost${path} | grep -ic '^${name}.*includeSubDomains')" = 1 ] && break
      sleep 0.1
    done
    [ "$(curl --silent --insecure --head https://localhost${path} | grep -ic '^${name}')" = 1 ]`);
  }
}

async function watchWithPrometheus(root: FreshRoot): Promise<void> {
  const [copyRules = ''] = readCommands('monitoring');
  await root.run(
    copyRules + append(readFile('monitoring', 'yaml'), '/etc/prometheus/prometheus.yml'),
  );
  await root.run('promtool check config /etc/prometheus/prometheus.yml | grep "rules found"');
}

/** Follows the page of one machine in a new root. @returns the text of the first key */
export async function install(root: FreshRoot, { settings }: Services): Promise<string> {
  const [build = '', copySettings = '', start = '', nginx = '', check = ''] =
    readCommands('one-machine');
  await root.run(build + copySettings + append(toSettingsText(settings), '/etc/marquee/env'));
  await root.run(start + nginx);
  await root.run('export DATA_DIR=/var/lib/marquee/3000');
  return findKey(await root.run(check));
}

export function findKey(output: string): string {
  const key = /\bmq_[0-9A-Za-z]{49}\b/.exec(output)?.[0];
  if (key === undefined) throw new Error(`No key is in ${output}`);
  return key;
}

function toSettingsText(settings: Environment): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}
