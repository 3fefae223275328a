import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '#lib/config/config.ts';
import { openDatabase } from '#lib/database.ts';
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '#lib/demo/models/model-server.ts';
import type { CreateKeyInput } from '#lib/keys/create-key-input.ts';
import { createKeyRegister } from '#lib/keys/key-register.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import { makeKeyInput } from '../factories/key-services.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { type MarqueeServer, startMarquee, startMarqueeInProcess } from './marquee-server.ts';

/** Whether the upstream supports `/responses` and `/messages`, or the proxy translates to chat. */
export type UpstreamKind = 'native' | 'chat';

export const upstreamKinds: readonly UpstreamKind[] = ['native', 'chat'];

/** The AI proxy with a model server, and a key with limits that no test reaches. */
export type ProxyServer = MarqueeServer &
  Readonly<{
    /** The base URL for OpenAI clients. */
    baseUrl: string;
    key: string;
    models: ModelServer;
    dataDir: string;
    /** The settings of the server. */
    settings: Environment;
    /** Stops only the server; its data stays until `stop`. */
    end: () => Promise<void>;
    /** Creates another key. */
    makeKey: (input?: Partial<CreateKeyInput>) => Promise<string>;
  }>;

export type ProxyServerOptions = Readonly<{
  upstream?: UpstreamKind;
  /** Runs the build in its own process; by default the server runs in this process, one at a time. */
  isProcess?: boolean;
  environment?: Environment;
  /** Further names of a model of the demo. */
  aliases?: readonly string[];
  modelServer?: Partial<ModelServerOptions>;
  /** Only in this process. */
  now?: () => number;
}>;

/** A recognizable upstream key: tests check that no response and no log contains it. */
export const upstreamKey = 'sk-of-the-upstream-0123456789';

/** All models of the demo, and those that simulate faults. */
const allModels = 'lantern-demo/*,harbour-demo/*,juniper-demo/*,acorn-demo/*,fault/*';

/** Starts both servers in a new folder, with a key; `stop` removes all of it. */
export async function startProxyServer(options: ProxyServerOptions = {}): Promise<ProxyServer> {
  const { upstream = 'native', isProcess = false, environment, modelServer, now } = options;
  const { aliases } = options;
  const folder = makeTemporaryFolder();
  const dataDir = folder.path;
  const models = await startModelServer({
    key: upstreamKey,
    hasResponses: upstream === 'native',
    hasMessages: upstream === 'native',
    ...modelServer,
  });
  let keyCount = 0;

  async function makeKey(input: Partial<CreateKeyInput> = {}): Promise<string> {
    const database = await openDatabase({ databaseUrl: null, dataDir });
    try {
      const toHash = createKeyHasher(loadPepper({ keyPepper: null, dataDir }));
      const register = createKeyRegister({ keys: database.keys, toHash, now: now ?? Date.now });
      keyCount += 1;
      const { text } = await register.create(makeKeyInput({ name: `Key ${keyCount}`, ...input }));
      return text;
    } finally {
      await database.close();
    }
  }

  const settings: Environment = {
    ...(aliases === undefined
      ? toUpstreamSettings(models, upstream)
      : toUpstreamsFile(models, { upstream, aliases, dataDir })),
    AI_MODELS: allModels,
    DATA_DIR: dataDir,
    ...environment,
  };
  const key = await makeKey({ requestsPerMinute: 1_000_000, tokensPerDay: 1_000_000_000 });
  const effects = now === undefined ? {} : { now };
  const server = isProcess
    ? await startMarquee(settings)
    : await startMarqueeInProcess(settings, effects);
  let isEnded = false;

  async function end(): Promise<void> {
    if (isEnded) return;
    isEnded = true;
    await server.stop();
  }

  return {
    ...server,
    baseUrl: `${server.url}/proxy/v1`,
    key,
    models,
    dataDir,
    settings,
    makeKey,
    end,
    async stop() {
      try {
        await end();
      } finally {
        await models.close();
        folder[Symbol.dispose]();
      }
    },
  };
}

function toUpstreamSettings({ url }: ModelServer, kind: UpstreamKind): Environment {
  return {
    AI_UPSTREAM_URL: url,
    AI_UPSTREAM_KEY: upstreamKey,
    AI_UPSTREAM_RESPONSES: kind,
    AI_UPSTREAM_MESSAGES: kind,
  };
}

type UpstreamsFile = Readonly<{
  upstream: UpstreamKind;
  aliases: readonly string[];
  dataDir: string;
}>;

function toUpstreamsFile(
  { url }: ModelServer,
  { upstream, aliases, dataDir }: UpstreamsFile,
): Environment {
  const path = join(dataDir, 'upstreams.json');
  const protocols = upstream === 'native' ? ['chat', 'responses', 'messages'] : ['chat'];
  const file = {
    upstreams: [{ name: 'demo', url, keyEnv: 'TEST_UPSTREAM_KEY', protocols }],
    models: [{ id: 'lantern-demo/wick-3', aliases, targets: [{ upstream: 'demo' }] }],
  };
  writeFileSync(path, JSON.stringify(file));
  return { AI_UPSTREAMS_FILE: path, TEST_UPSTREAM_KEY: upstreamKey };
}
