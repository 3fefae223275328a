import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '#lib/config/config.ts';
import { startMailServer } from '#lib/demo/mail/mail-server.ts';
import { hasDatabase } from '#lib/storage/find-database.ts';
import { buildIfNeeded } from '../build/build-if-needed.ts';
import { type CommandContext, print, startCommand } from '../command.ts';
import {
  type DemoIdentity,
  type DemoTable,
  readEventCount,
  startDemoIdentity,
  startDemoModels,
  startDemoTable,
  toDemoDataDir,
} from './demo-servers.ts';
import { startServer } from './start-server.ts';

/**
 * `npm run demo`: the server as `npm start` runs it, with local Airtable and model servers over HTTP.
 * `npm run demo -- --events 10000` sets the number of events.
 */
async function demoCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const count = readEventCount(args, 'demo');
  const { port, site } = loadConfig(context.env);
  await buildIfNeeded();
  const dataDir = toDemoDataDir(context.env);
  // What is edited later is a change. A database that is there has seen it.
  const isEdited = await hasDatabase({ databaseUrl: null, dataDir });
  const table = await startDemoTable({ count, isEdited });
  const models = await startDemoModels(context.env);
  const identity = await startDemoIdentity(site.url, port + 1);
  const mail = await startDemoMail(port + 2);
  const environment = {
    ...table.environment,
    ...models.environment,
    ...identity.environment,
    SMTP_URL: mail.smtpUrl,
    MAIL_FROM: 'events@marquee.example',
    KEY_PEPPER: '',
    TABLE_HOOK_SECRET: randomUUID(),
  };
  // What is asked for is shown; otherwise nothing follows the welcome.
  const isQuiet = !context.env.LOG_LEVEL && !context.env.LOG_REQUESTS;
  const server = startServer({ ...environment, NODE_ENV: 'production' }, context, { isQuiet });
  if (!isEdited) {
    server.onceReady(() => editTable(table, port, environment.TABLE_HOOK_SECRET));
  }
  server.onceReady(() =>
    print(
      context.stdout,
      toWelcome({
        siteUrl: site.url,
        port,
        key: models.key,
        people: identity.people,
        mailsUrl: mail.pageUrl,
      }),
    ),
  );
  const code = await server.ended;
  await Promise.all([table.close(), models.close(), identity.close(), mail.close()]);
  return code;
}

type Welcome = Readonly<{
  siteUrl: string;
  port: number;
  key: string;
  people: DemoIdentity['people'];
  mailsUrl: string;
}>;

/** Edits the table once it has been read, and says so as Airtable does. */
async function editTable(table: DemoTable, port: number, secret: string): Promise<void> {
  const url = `http://localhost:${port}`;
  const headers = { authorization: `Bearer ${secret}` };
  try {
    while (!(await fetch(`${url}/api/v1/events?limit=1`)).ok) await sleep(1_000);
    table.edit();
    await fetch(`${url}/hooks/table-changed`, { method: 'POST', headers });
  } catch {
    // The server has stopped: nobody sees that there are no changes.
  }
}

/** Beside the site if that port is free. */
function startDemoMail(port: number) {
  return startMailServer({ port }).catch(() => startMailServer());
}

function toWelcome({ siteUrl, port, key, people, mailsUrl }: Welcome): string {
  const [member, admin] = people;
  const local = `http://localhost:${port}`;
  return `
  ${siteUrl} is running with sample events. Try:

    curl '${local}/api/v1/events?status=upcoming&limit=3'
    curl -H 'Accept: text/markdown' ${local}/
    curl ${local}/api/v1/events/rss

  The AI proxy works too, with demo models. Here is a new key:

    export KEY=${key}
    curl ${local}/proxy/v1/models
    curl ${local}/proxy/v1/chat/completions -H "Authorization: Bearer $KEY" \\
      -H 'Content-Type: application/json' \\
      -d '{"model":"lantern-demo/wick-3","messages":[{"role":"user","content":"What is on this week?"}]}'
    curl -N ${local}/proxy/v1/responses -H "Authorization: Bearer $KEY" \\
      -H 'Content-Type: application/json' \\
      -d '{"model":"lantern-demo/wick-3","input":"Write a haiku about soldering.","stream":true}'

  Make a key of your own at ${siteUrl}/account: sign in as

    ${member?.name}, a member, or ${admin?.name}, an admin, who has ${siteUrl}/admin too

  Emails that the site sends, as from ${siteUrl}/subscribe, are shown at ${mailsUrl}

  Press Ctrl-C to stop.
`;
}

if (import.meta.main) await startCommand(demoCommand);
