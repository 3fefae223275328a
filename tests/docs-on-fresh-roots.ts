import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { print, startCommand } from '#lib/cli/command.ts';
import { requirePrograms } from './programs.ts';
import { readCommandBlocks, readDocsText } from './support/docs-texts.ts';
import { buildTree } from './support/image/build-tree.ts';
import { startTable, toTableSettings } from './support/servers/marquee-server.ts';

const run = promisify(execFile);

/**
 * `npm run test:docs`: runs commands and files of the pages for operators in fresh roots with this machine's programs: those of
 * “One machine”, with the unit file and nginx, a backup and its restore, and those of “Containers”, in the tree that the
 * image has. Installing packages and building are tested by `npm run test:build`. It takes minutes, so it is no part of `npm test`.
 */
async function runDocs(): Promise<number> {
  requirePrograms(['bwrap', 'nginx', 'openssl']);
  const table = await startTable();
  const tree = buildTree();
  try {
    const env = Object.entries(toTableSettings(table)).map(([name, value]) => `${name}=${value}`);
    await runIn(
      tree,
      'one machine',
      [
        readCommands('operate/one-machine'),
        'curl --fail --silent --insecure https://localhost/api/v1/events?limit=1',
        'curl --fail --silent http://127.0.0.1:13000/metrics | grep -q marquee_table_read_ok',
        'export DATA_DIR=/var/lib/marquee/3000',
        ...readCommandBlocks(readDocsText('operate/backups')).slice(0, 2),
        'curl --fail --silent --retry 60 --retry-delay 1 --retry-connrefused http://127.0.0.1:3000/health/ready',
      ],
      env,
    );
    const commands =
      readCommands('operate/containers').match(/(?<=docker compose exec marquee ).*/g) ?? [];
    await runIn(
      tree,
      'container',
      [
        'cd /app',
        'export DATA_DIR=/data HOME=/tmp',
        'npm run keys -- create --name zero --create-database',
        ...commands,
      ],
      env,
    );
  } finally {
    await table.close();
    rmSync(tree, { recursive: true, force: true });
  }
  return 0;
}

function readCommands(page: string): string {
  return readCommandBlocks(readDocsText(page)).join('');
}

/** What a fresh root cannot do without a package server or an init system. */
const stubs: Readonly<Record<string, string>> = {
  'apt-get': 'exit 0',
  useradd: 'exit 0',
  npm: `case "$1 $2" in "run build"|"ci "*|"prune "*) exit 0;; esac
[ "$1" = run ] || exit 0
program=$2; shift 2; [ "$1" = -- ] && shift
set -a; [ -f /etc/marquee/env ] && . /etc/marquee/env; set +a
exec node lib/cli/*/$program.ts "$@"`,
  chown: 'exit 0',
  // Starts the unit as systemd would: variables, files, then the command, with the port in place of %i. It does not wait.
  systemctl: `case "$*" in *nginx*) exec nginx;; stop*@3000*) kill -TERM $(cat /tmp/server.pid)
while kill -0 $(cat /tmp/server.pid) 2>/dev/null; do sleep 0.1; done; exit 0;; *@3000*) ;; *) exit 0;; esac
unit=$(sed 's/%i/3000/g' /etc/systemd/system/marquee@.service)
set -a; eval "$(echo "$unit" | sed -n 's/^Environment=//p')"; . /etc/marquee/env; set +a
mkdir -p /var/lib/marquee/3000; cd /opt/marquee/current
$(echo "$unit" | sed -n 's/^ExecStart=//p') > /tmp/server.log 2>&1 &
echo $! > /tmp/server.pid`,
};

async function runIn(
  tree: string,
  name: string,
  lines: readonly string[],
  settings: readonly string[],
): Promise<void> {
  const folder = `${tree}-root`;
  mkdirSync(join(folder, 'programs'), { recursive: true });
  mkdirSync(join(folder, 'etc'), { recursive: true });
  cpSync('/etc/nginx', join(folder, 'etc/nginx'), { recursive: true });
  mkdirSync(join(folder, 'etc/systemd/system'), { recursive: true });
  for (const [program, script] of Object.entries(stubs)) {
    writeFileSync(join(folder, 'programs', program), `#!/bin/bash\n${script}\n`);
    chmodSync(join(folder, 'programs', program), 0o755);
  }
  // What an operator fills in.
  const fillIn = `printf '%s\\n' ${settings.map((setting) => `'${setting}'`).join(' ')} > /etc/marquee/env`;
  const script = lines.join('\n').replace('systemctl daemon-reload', fillIn);
  const variables = settings.flatMap((setting) => [
    '--setenv',
    ...setting.split(/=(.*)/s).slice(0, 2),
  ]);
  const links = ['bin', 'lib', 'lib64', 'sbin'].flatMap((path) => [
    '--symlink',
    `usr/${path}`,
    `/${path}`,
  ]);
  try {
    const { stdout, stderr } = await run(
      'bwrap',
      [
        ...['--ro-bind', '/usr', '/usr', ...links, '--bind', join(folder, 'etc'), '/etc'],
        ...['/etc/passwd', '/etc/group', '/etc/ssl', '/etc/hosts'].flatMap((path) => [
          '--ro-bind',
          path,
          path,
        ]),
        ...[
          '--tmpfs',
          '/var',
          '--tmpfs',
          '/run',
          '--tmpfs',
          '/tmp',
          '--tmpfs',
          '/data',
          '--tmpfs',
          '/backups',
        ],
        ...[
          '--dir',
          '/var/lib/nginx',
          '--dir',
          '/var/log/nginx',
          '--proc',
          '/proc',
          '--dev',
          '/dev',
        ],
        ...['--ro-bind', join(folder, 'programs'), '/programs'],
        ...['--bind', tree, '/app', '--bind', tree, '/opt/marquee/releases/1.0.0'],
        ...['--unshare-pid', '--die-with-parent', ...(name === 'container' ? variables : [])],
        ...['--setenv', 'PATH', '/programs:/app/node_modules/.bin:/usr/sbin:/usr/bin:/bin'],
        ...['--', 'bash', '-exc', script],
      ],
      { maxBuffer: 64 * 1024 * 1024 },
    ).catch((error: unknown) => {
      const { stdout: out = '', stderr: text = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${name}:\n${out.slice(-3000)}\n${text.slice(-3000)}`);
    });
    print(
      process.stdout,
      `${name}: ok, ${(stdout + stderr).match(/^\+ /gm)?.length ?? 0} commands`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await startCommand(runDocs);
