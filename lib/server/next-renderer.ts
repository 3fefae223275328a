import type { Server } from 'node:http';
import createNext from 'next';
import type { Renderer } from './pages.ts';

/** Starts Next as a custom server's renderer: the build in `.next`, or with reload outside production. */
export async function createNextRenderer(httpServer: Server, port: number): Promise<Renderer> {
  const app = createNext({
    dev: process.env.NODE_ENV !== 'production',
    dir: `${import.meta.dirname}/../..`,
    hostname: 'localhost',
    port,
    httpServer,
  });
  await app.prepare();
  const handle = app.getRequestHandler();
  return (incoming, outgoing) => handle(incoming, outgoing);
}
