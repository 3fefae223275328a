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
const dataDirDefault = resolve(import.meta.dirname, '../../../data/demo');
/** A key of each start is left behind. */
const keyDays = 30;
/** Between two streamed words: about the speed of a fast model. */
const paceMs = 12;

/** Starts the demo's model server and creates an API key. The data is kept in `DATA_DIR` where it is set. */
export async function startDemoModels({ DATA_DIR }: Environment): Promise<DemoModels> {
  const dataDir = DATA_DIR ? resolve(DATA_DIR) : dataDirDefault;
  const upstreamKey = 'sk-demo-upstream';
  const server = await startModelServer({ key: upstreamKey, paceMs });
  return {
    key: await createKey(dataDir),
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

async function createKey(dataDir: string): Promise<string> {
  const database = await openDatabase({ databaseUrl: null, dataDir });
  try {
    const toHash = createKeyHasher(loadPepper({ keyPepper: null, dataDir }));
    const register = createKeyRegister({ keys: database.keys, toHash, now: Date.now });
    const now = Date.now();
    const issued = await register.create({
      // A name of its own, so that demos side by side do not take each other's key away.
      name: `demo ${new Date(now).toISOString()}`,
      models: null,
      requestsPerMinute: null,
      tokensPerDay: null,
      budget: null,
      expiresAt: now + keyDays * 86_400_000,
    });
    return issued.text;
  } finally {
    await database.close();
  }
}
