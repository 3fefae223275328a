import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readBlocks, readOperateTexts } from '../docs-texts.ts';
import { findFreePort } from '../servers/free-port.ts';
import { rootArguments } from './sandbox.ts';
import { startServerProgram } from './server-program.ts';

export type NginxServer = Readonly<{
  /** `https://localhost:…`; its certificate is self-signed. */
  url: string;
  /** `http://localhost:…` */
  plainUrl: string;
  certificate: string;
  close: () => Promise<void>;
}>;

type NginxOptions = Readonly<{
  errorLog?: string;
  /** The content of `/etc/marquee/cdn.conf`. */
  cdn?: string | null;
}>;

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const configuration = join(root, 'lib/representations/docs/operate/nginx.conf');

/** Starts nginx with the documented configuration, on free ports, in front of instances on the given ports. */
export async function startNginx(
  instancePorts: readonly number[],
  { errorLog = '/dev/null', cdn = null }: NginxOptions = {},
): Promise<NginxServer> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-nginx-'));
  // Its workers run as another user.
  chmodSync(folder, 0o755);
  for (const name of ['etc', 'etc/tls', 'cache']) mkdirSync(join(folder, name), { mode: 0o755 });
  const certificate = await createCertificate(join(folder, 'etc/tls'));
  const instances = instancePorts.map((port) => `server 127.0.0.1:${port} max_fails=0;\n`).join('');
  writeFileSync(join(folder, 'etc/instances.conf'), instances);
  const [port, plainPort] = [await findFreePort(), await findFreePort()];
  const site = readFileSync(configuration, 'utf8')
    .replaceAll('/etc/marquee/', `${folder}/etc/`)
    .replaceAll('/var/cache/nginx/', `${folder}/cache/`)
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80 ', `listen 127.0.0.1:${plainPort} `)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `);
  writeFileSync(join(folder, 'etc/site.conf'), 'default https://localhost;\n');
  if (cdn !== null) writeFileSync(join(folder, 'etc/cdn.conf'), cdn);
  writeFileSync(join(folder, 'site.conf'), site);
  writeFileSync(join(folder, 'nginx.conf'), toMainConfiguration(folder, errorLog));
  const url = `https://localhost:${port}`;
  const server = await startServerProgram({
    command: 'nginx',
    args: ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
    cwd: folder,
    // Ends its workers, too.
    killSignal: 'SIGTERM',
    probe: () => request(`${url}/health/live`, certificate),
  });
  return {
    url,
    plainUrl: `http://localhost:${plainPort}`,
    certificate,
    async close() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Runs the commands of the pages for operators that set nginx up, as they are written, in a root of their own. */
export async function runDocumentedCommands(): Promise<string> {
  const commands = readBlocks(readOperateTexts(), 'sh')
    .filter((block) => block.includes('nginx -t\n'))
    .join('')
    // What is installed already, and what needs a running system.
    .replaceAll(/^(?:apt-get|systemctl) .*\n/gm, '');
  const folder = mkdtempSync(join(tmpdir(), 'marquee-nginx-'));
  cpSync('/etc/nginx', join(folder, 'nginx'), { recursive: true });
  const files = ['/etc/passwd', '/etc/group', '/etc/ssl'];
  const { stderr } = await run(
    'bwrap',
    [
      rootArguments,
      ...files.map((path) => ['--ro-bind', path, path]),
      ['--bind', join(folder, 'nginx'), '/etc/nginx', '--dir', '/etc/marquee'],
      ['--tmpfs', '/var', '--tmpfs', '/run'],
      ['--dir', '/var/lib/nginx', '--dir', '/var/log/nginx'],
      ['--ro-bind', root, '/opt/marquee/current'],
      ['--', 'bash', '-ec', commands],
    ].flat(),
  ).finally(() => rmSync(folder, { recursive: true, force: true }));
  return stderr;
}

// What a Debian machine has in /etc/nginx/nginx.conf.
function toMainConfiguration(folder: string, errorLog: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/cache/${name};`,
  );
  return `daemon off;
worker_processes 2;
pid ${folder}/nginx.pid;
error_log ${errorLog};
events { worker_connections 1024; }
http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }
`;
}

/** In the two files that it writes into a folder, signed by nobody else; returns the certificate. */
export async function createCertificate(folder: string, host = 'localhost'): Promise<string> {
  const paths = { key: join(folder, 'privkey.pem'), certificate: join(folder, 'fullchain.pem') };
  await run(
    'openssl',
    [
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
      ['-nodes', '-days', '2'],
      ['-subj', `/CN=${host}`],
      ['-addext', `subjectAltName=DNS:${host}`],
      ['-keyout', paths.key],
      ['-out', paths.certificate],
    ].flat(),
  );
  return readFileSync(paths.certificate, 'utf8');
}

/** Resolves with any response, so that instances need not run yet. */
function request(url: string, ca: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { ca }, (response) => {
      response.resume();
      resolve();
    }).on('error', reject);
  });
}
