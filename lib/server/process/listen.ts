import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Config } from '#lib/config/config.ts';
import { ConfigError } from '#lib/config/read-settings.ts';

type ListenOptions = Pick<Config, 'host' | 'port'>;
type Settings = Readonly<{ host: 'HOST' | 'METRICS_HOST'; port: 'PORT' | 'METRICS_PORT' }>;

/** Listens on a port. @throws ConfigError that names the setting, if that is impossible. */
export async function listen(
  server: Server,
  { host, port }: ListenOptions,
  settings: Settings = { host: 'HOST', port: 'PORT' },
): Promise<void> {
  server.listen({ port, ...(host !== null && { host }) });
  try {
    await once(server, 'listening');
  } catch (error) {
    const problem = listenProblems[(error as NodeJS.ErrnoException).code ?? ''];
    if (problem === undefined) throw error;
    throw new ConfigError(problem(`${settings.host} is ${host}`, `${settings.port} is ${port}`));
  }
}

const listenProblems: Readonly<Record<string, (host: string, port: string) => string>> = {
  EADDRINUSE: (_, port) => `${port}, but something else listens there already.`,
  EACCES: (_, port) => `${port}, but this user may not listen there. Use 1024 or above.`,
  EADDRNOTAVAIL: (host) => `${host}, which is no address of this machine.`,
  ENOTFOUND: (host) => `${host}, a name that leads to no address.`,
};
