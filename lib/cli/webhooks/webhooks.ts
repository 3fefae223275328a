import { createTimeZone } from '#lib/events/model/zoned-time.ts';
import { silentLog } from '#lib/http/log.ts';
import { createEnqueuer } from '#lib/site/notifications/enqueuer.ts';
import { createWebhookParts } from '#lib/site/notifications/webhooks/webhook-parts.ts';
import type { Webhook } from '#lib/site/notifications/webhooks/webhook-store.ts';
import type { Webhooks, WebhookWithSecret } from '#lib/site/notifications/webhooks/webhooks.ts';
import { startCommand, toMinute, toSafeText, toTextTable } from '../command.ts';
import { type CommandInput, createDatabaseCommand, type Result } from '../database-command.ts';

/** `npm run webhooks`: who is sent changes of events and alerts. */
export const webhooksCommand = createDatabaseCommand({
  name: 'npm run webhooks --',
  title: 'Webhooks: programs that are told when events change',
  verbs: {
    create: {
      usage: "create --url URL [--name NAME] [--type TYPES] [--filter 'city=ghent'] [--quiet]",
      words: [0, 0],
      options: ['url', 'name', 'type', 'filter'],
      flags: ['quiet', 'create-database'],
      run: create,
    },
    list: { usage: 'list', words: [0, 0], run: list },
    test: { usage: 'test ID', words: [1, 1], run: test },
    pause: { usage: 'pause ID', words: [1, 1], run: (input) => change(input, 'pause') },
    resume: { usage: 'resume ID', words: [1, 1], run: (input) => change(input, 'resume') },
    rotate: { usage: 'rotate ID [--quiet]', words: [1, 1], flags: ['quiet'], run: rotate },
    remove: { usage: 'remove ID', words: [1, 1], run: (input) => change(input, 'remove') },
  },
  optionsHelp: `  --type    event.added, event.changed, event.removed, event.* (the default), alert.*; several with commas
  --filter  a query of the events list, such as city=ghent&format=online; without it all events
  --quiet   prints only the secret
  --json    prints the result as JSON`,
  notes: `A secret is shown once. After rotate, the old one works for another 24 hours.
No changes are sent to a paused webhook. test sends a message now, and exits with 1 if it is not delivered.`,
});

function toWebhooks({ config, database }: CommandInput): Webhooks {
  const { now } = Date;
  const timeZone = createTimeZone(config.events.timeZone);
  const { enqueueAlert } = createEnqueuer(config, { database, timeZone, now });
  return createWebhookParts(config, { database, enqueueAlert, now, log: silentLog }).webhooks;
}

async function create(input: CommandInput): Promise<Result> {
  const { url = '', name = null, type: types = null, filter = null } = input.options;
  const created = await toWebhooks(input).create({ url, name, types, filter });
  return toSecretResult(created, 'Store this secret now: it is shown once.');
}

async function rotate(input: CommandInput): Promise<Result> {
  const [id = ''] = input.words;
  const rotated = await toWebhooks(input).rotate(id);
  if (rotated === null) throw noWebhook(id);
  return toSecretResult(rotated, 'The old secret works for another 24 hours.');
}

function toSecretResult({ webhook, secret }: WebhookWithSecret, note: string): Result {
  return { json: { ...toJson(webhook), secret }, text: secret, note: `${webhook.id}: ${note}` };
}

async function list(input: CommandInput): Promise<Result> {
  const webhooks = toWebhooks(input);
  const all = await webhooks.list();
  const needsPrevious = all.filter((webhook) => !webhooks.isCurrent(webhook));
  return {
    json: all.map(toJson),
    text: all.length === 0 ? 'There are no webhooks.' : toTable(all),
    ...(needsPrevious.length > 0 && {
      note: `Made with another KEY_PEPPER, so rotate before you remove it: ${needsPrevious.map(({ id }) => id).join(', ')}`,
    }),
  };
}

async function test(input: CommandInput): Promise<Result> {
  const [id = ''] = input.words;
  const webhooks = toWebhooks(input);
  const webhook = await webhooks.find(id);
  if (webhook === null) throw noWebhook(id);
  const { outcome, result, durationMs } = await webhooks.sendTest(webhook);
  const isFailed = outcome !== 'delivered';
  const text = `${isFailed ? 'Not delivered' : 'Delivered'}: ${result}, ${durationMs} ms`;
  return { json: { delivered: !isFailed, result, durationMs }, text, isFailed };
}

async function change(input: CommandInput, verb: 'pause' | 'resume' | 'remove'): Promise<Result> {
  const [id = ''] = input.words;
  if (!(await toWebhooks(input)[verb](id))) throw noWebhook(id);
  return list(input);
}

function noWebhook(id: string): Error {
  return new Error(
    `There is no webhook ${JSON.stringify(id)}: npm run webhooks -- list shows all.`,
  );
}

function toTable(webhooks: readonly Webhook[]): string {
  return toTextTable(
    ['id', 'name', 'state', 'types', 'filter', 'URL', 'created'],
    webhooks.map(({ id, name, state, types, filter, url, createdAt }) => [
      id,
      toSafeText(name),
      state,
      types.join(','),
      filter === '' ? 'all events' : toSafeText(filter),
      toSafeText(url),
      toMinute(createdAt),
    ]),
  );
}

function toJson({ id, name, url, types, filter, state, createdAt }: Webhook) {
  return { id, name, url, types, filter, state, createdAt: new Date(createdAt).toISOString() };
}

if (import.meta.main) await startCommand(webhooksCommand);
