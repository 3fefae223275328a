import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below those that the system gives to whoever asks for any: it would give a port away again before the
// program that it was found for listens there.
const [lowest, highest] = [15_000, 30_000];

/** A port on loopback where nothing listens at this moment, and that the system gives to nobody by itself. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    const server = createServer();
    const isFree = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(port, '127.0.0.1');
    if (!(await isFree)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
