import { resolve } from 'node:path';
import type { Environment } from '#lib/config/config.ts';
import { openDatabase } from '#lib/database.ts';
import type { AirtableRecord } from '#lib/demo/airtable/airtable-record.ts';
import { startAirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { undoEdits } from '#lib/demo/data/sample-edits.ts';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import { type IdentityServer, startIdentityServer } from '#lib/demo/identity/identity-server.ts';
import { startModelServer } from '#lib/demo/models/model-server.ts';
import { createKeyRegister } from '#lib/keys/key-register.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import { parseArguments, textOption } from '../command.ts';

export type DemoTable = Readonly<{
  /** Settings for the server to use this table. */
  environment: Environment;
  /** Makes the edits that were not there yet. */
  edit: () => void;
  close: () => Promise<void>;
}>;

type DemoTableOptions = Readonly<{
  /** By default the 48 samples. */
  count?: number | undefined;
  /** Whether the last edits of the table are there from the start. */
  isEdited?: boolean;
}>;

const countMax = 100_000;

/** Starts the demo's Airtable server with events around the current day. */
export async function startDemoTable({
  count,
  isEdited = true,
}: DemoTableOptions = {}): Promise<DemoTable> {
  let hasEdits = isEdited;
  const records = () => {
    const today = new Date().toISOString().slice(0, 10);
    const records = sampleRecords(count === undefined ? { today } : { today, count });
    return [...(hasEdits ? records : undoEdits(records, today)), faultyRecord];
  };
  const table = { token: 'patDemo.0000', baseId: 'appDemo0000000000', table: 'Events' };
  const server = await startAirtableServer({ ...table, records });
  return {
    environment: {
      AIRTABLE_API_URL: server.url,
      AIRTABLE_TOKEN: table.token,
      AIRTABLE_BASE_ID: table.baseId,
      AIRTABLE_TABLE: table.table,
    },
    edit() {
      hasEdits = true;
    },
    close: server.close,
  };
}

/** A row that cannot be an event, for `/admin/events` and `npm run doctor` to show. */
const faultyRecord: AirtableRecord = {
  id: 'recFaultyRow00000',
  createdTime: '2026-01-05T10:00:00.000Z',
  fields: { Name: 'Kite Hack', 'Start Date': 'next spring', Format: 'Outdoors' },
};

/** The value of `--events`. @throws Error with one line that says what to change. */
export function readEventCount(args: readonly string[], name: string): number | undefined {
  const usage = `Usage: npm run ${name} -- [--events 10000]`;
  const { values, positionals } = parseArguments(args, { events: textOption }, usage);
  if (positionals.length > 0) throw new Error(usage);
  const { events } = values;
  if (events === undefined) return undefined;
  const count = /^\d+$/.test(events) ? Number(events) : Number.NaN;
  if (count >= 48 && count <= countMax) return count;
  throw new Error(
    `--events is ${JSON.stringify(events)}, but must be a number from 48 to ${countMax}.`,
  );
}

export type DemoModels = Readonly<{
  /** Settings for the server to use these models. */
  environment: Environment;
  /** A new API key for each start. */
  key: string;
  close: () => Promise<void>;
}>;

/** Separate from the data of a real server. */
const dataDirDefault = resolve(import.meta.dirname, '../../../data/demo');

/** Where the demo stores its data. */
export function toDemoDataDir({ DATA_DIR }: Environment): string {
  return DATA_DIR ? resolve(DATA_DIR) : dataDirDefault;
}
/** A key of each start is left behind. */
const keyDays = 30;
/** Between two streamed words: about the speed of a fast model. */
const paceMs = 12;

/** Starts the demo's model server and creates an API key. The data is kept in `DATA_DIR` where it is set. */
export async function startDemoModels(env: Environment): Promise<DemoModels> {
  const dataDir = toDemoDataDir(env);
  const upstreamKey = 'sk-demo-upstream';
  const server = await startModelServer({ key: upstreamKey, paceMs });
  return {
    key: await createKey(dataDir),
    environment: {
      DATA_DIR: dataDir,
      DATABASE_URL: '',
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

export type DemoIdentity = Readonly<{
  /** Settings for members to sign in there. */
  environment: Environment;
  people: IdentityServer['people'];
  close: () => Promise<void>;
}>;

/** Starts the demo's OpenID Connect provider, beside the site, so that members stay the same. */
export async function startDemoIdentity(siteUrl: string, port: number): Promise<DemoIdentity> {
  const server = await startIdentityServer({ siteUrl, port }).catch(() =>
    startIdentityServer({ siteUrl }),
  );
  return {
    environment: {
      OIDC_ISSUER: server.issuer,
      OIDC_CLIENT_ID: server.clientId,
      OIDC_CLIENT_SECRET: server.clientSecret,
      OIDC_NAME: 'a demo account',
      MEMBERS_ALLOWED: 'makers.example',
      ADMINS: 'robin@makers.example',
    },
    people: server.people,
    close: server.close,
  };
}
