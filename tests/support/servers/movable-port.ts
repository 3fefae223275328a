import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from './loopback-server.ts';

/** A port that leads to another one, and later to a third, as the address of a database that moves. */
export async function startMovablePort(firstPort: number) {
  let target = firstPort;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const onward = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      open.add(socket);
      socket.pipe(other);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  const { port, close } = await listenOnLoopback(server);
  const disconnect = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port,
    moveTo(nextPort: number) {
      target = nextPort;
      disconnect();
    },
    async close() {
      disconnect();
      await close();
    },
  };
}
