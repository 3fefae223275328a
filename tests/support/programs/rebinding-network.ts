import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** An address on the internet, which is this machine's within the network of the test. */
export const publicAddress = '93.184.215.14';

export const rebindingName = 'rebinding.example';

const program = join(import.meta.dirname, 'rebinding-program.ts');

/** Runs the program in a network of its own that has nothing but loopback and one public address, and its name server. */
export async function runInRebindingNetwork(folder: string): Promise<unknown> {
  const nameServer = join(folder, 'resolv.conf');
  writeFileSync(nameServer, 'nameserver 127.0.0.1\n');
  const { stdout } = await promisify(execFile)(
    'bwrap',
    [
      ['--dev-bind', '/', '/', '--ro-bind', nameServer, '/etc/resolv.conf'],
      ['--unshare-user', '--uid', '0', '--unshare-net', '--cap-add', 'ALL'],
      ['--die-with-parent', '--', 'sh', '-ec'],
      `busybox ip address add ${publicAddress}/32 dev lo; exec "$@"`,
      ['sh', process.execPath, program, folder],
    ].flat(),
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'fullchain.pem') } },
  );
  return JSON.parse(stdout);
}
