import { resolve } from 'node:path';
import type { Environment } from '#lib/config/config.ts';
import { openDatabase } from '#lib/database.ts';
import { startModelServer } from '#lib/demo/models/model-server.ts';
import { createKeyRegister } from '#lib/keys/key-register.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';

export type DemoModels = Readonly<{
  /** Settings for the server to use these models. */
  environment: Environment;
  /** A new API key for each start. */
  key: string;
  close: () => Promise<void>;
}>;

/** Separate from the data of a real server. */
const dataDir = resolve(import.meta.dirname, '../../../data/demo');
const keyName = 'demo';
/** Between two streamed words: about the speed of a fast model. */
const paceMs = 12;

/** Starts the demo's model server and creates an API key. */
export async function startDemoModels(): Promise<DemoModels> {
  const upstreamKey = 'sk-demo-upstream';
  const server = await startModelServer({ key: upstreamKey, paceMs });
  return {
    key: await createKey(),
    environment: {
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      REDIS_URL: '',
      AI_UPSTREAM_URL: server.url,
      AI_UPSTREAM_KEY: upstreamKey,
      AI_UPSTREAM_MESSAGES: 'native',
    },
    close: server.close,
  };
}

async function createKey(): Promise<string> {
  const database = await openDatabase({ databaseUrl: null, dataDir });
  try {
    const toHash = createKeyHasher(loadPepper({ keyPepper: null, dataDir }));
    const register = createKeyRegister({ keys: database.keys, toHash, now: Date.now });
    const keys = await database.keys.list();
    const isThere = keys.some(({ name, revokedAt }) => name === keyName && revokedAt === null);
    const limits = {
      models: null,
      requestsPerMinute: null,
      tokensPerDay: null,
      budget: null,
      expiresAt: null,
    };
    const issued = isThere
      ? await register.rotate(keyName)
      : await register.create({ name: keyName, ...limits });
    return issued.text;
  } finally {
    await database.close();
  }
}
