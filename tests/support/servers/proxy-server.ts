import type { Environment } from '#lib/config/config.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { startUpstream, type UpstreamKind } from './in-process-proxy.ts';
import { makeKeyIn } from './make-key.ts';
import { startMarquee } from './marquee-server.ts';

/** All models of the demo, and those that simulate faults. */
const allModels = 'lantern-demo/*,harbour-demo/*,juniper-demo/*,acorn-demo/*,fault/*';

type ProxyServerOptions = Readonly<{
  upstream?: UpstreamKind;
  environment?: Environment;
  command?: Parameters<typeof startMarquee>[1];
}>;

export type ProxyServer = Awaited<ReturnType<typeof startProxyServer>>;

/** The built server in its own process with a model server, and a key with limits that no test reaches. */
export async function startProxyServer(options: ProxyServerOptions = {}) {
  const { upstream = 'native', environment, command } = options;
  const folder = makeTemporaryFolder();
  const { modelServer, settings: ofUpstream } = await startUpstream(upstream);
  const settings: Environment = {
    ...ofUpstream,
    AI_MODELS: allModels,
    DATA_DIR: folder.path,
    ...environment,
  };
  const { text: key, record } = await makeKeyIn({ databaseUrl: null, dataDir: folder.path });
  const server = await startMarquee(settings, command);
  return {
    ...server,
    /** The base URL for OpenAI clients. */
    baseUrl: `${server.url}/proxy/v1`,
    key,
    keyId: record.id,
    dataDir: folder.path,
    modelServer,
    /** For another server with the same upstream. */
    settings,
    /** Stops the server, and removes its data. */
    async [Symbol.asyncDispose]() {
      try {
        await server.stop();
      } finally {
        await modelServer.close();
        folder[Symbol.dispose]();
      }
    },
  };
}
