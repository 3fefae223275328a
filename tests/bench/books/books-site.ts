import { serverArguments } from '#lib/cli/demo/start-server.ts';
import { startIdentityServer } from '#lib/demo/identity/identity-server.ts';
import { toMembersSettings } from '../../support/members/members-site.ts';
import type { TestBrowser } from '../../support/members/test-browser.ts';
import { startTestModels } from '../../support/models/test-models.ts';
import { startDatabase } from '../servers/database.ts';
import { startEventsTable } from '../servers/events-table.ts';
import { type ServerProcess, startServerProcess } from '../servers/server-process.ts';
import { makeKey, signIn } from '../servers/sign-in.ts';
import { loopDelayPreload } from '../take-loop-delay.ts';
import { fillDatabase } from './fill-database.ts';

/** Nothing listens there. */
export const siteUrl = 'https://events.example';

/** A server with so many records, and who is signed in. */
export type BooksSite = Readonly<{
  records: string;
  place: Readonly<{ databaseUrl: string | null; dataDir: string }>;
  settings: Readonly<Record<string, string | undefined>>;
  server: ServerProcess;
  member: TestBrowser;
  admin: TestBrowser;
  key: string;
  close: () => Promise<void>;
}>;

type BooksSiteOptions = Readonly<{
  settings?: Readonly<Record<string, string>>;
  /** Of another checkout. */
  root?: string | undefined;
}>;

export async function startBooksSite(
  engine: string,
  records: string,
  { settings: more = {}, root }: BooksSiteOptions = {},
): Promise<BooksSite> {
  const { close, ...place } = await startDatabase(engine);
  const identity = await startIdentityServer({ siteUrl });
  const { airtable, environment } = await startEventsTable();
  const models = await startTestModels({ key: 'sk-bench' });
  const startedAt = performance.now();
  await fillDatabase({
    ...place,
    records: Number(records),
    issuer: identity.issuer,
    subject: 'ada',
    now: Date.now(),
  });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stderr.write(`${records} records in ${seconds} s\n`);
  const { databaseUrl, dataDir } = place;
  const settings = {
    ...environment,
    ...toMembersSettings(siteUrl, identity),
    AI_UPSTREAM_URL: models.url,
    AI_UPSTREAM_KEY: models.key,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    // Far more than are sent.
    PROXY_REQUESTS_PER_MINUTE: '1000000',
    PROXY_TOKENS_PER_DAY: '999999999',
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl, KEY_PEPPER: 'x'.repeat(40) }),
    ...more,
  };
  const server = await startServerProcess(serverArguments, {
    environment: { ...settings, MALLOC_ARENA_MAX: '2' },
    processor: 'any',
    preload: loopDelayPreload,
    ...(root !== undefined && { root }),
  });
  const member = await signIn({ siteUrl, serverUrl: server.url, person: 'ada' });
  const admin = await signIn({ siteUrl, serverUrl: server.url, person: 'root' });
  return {
    records,
    place,
    settings,
    server,
    member: member.browser,
    admin: admin.browser,
    key: await makeKey(admin),
    async close() {
      await server.stop();
      await Promise.all([identity.close(), airtable.close(), models.close()]);
      await close();
    },
  };
}
