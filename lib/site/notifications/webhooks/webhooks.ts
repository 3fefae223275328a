import { randomBytes } from 'node:crypto';
import type { DeliveryRow } from '#lib/outbox/delivery.ts';
import type { DeliveryStore } from '#lib/outbox/delivery-store.ts';
import type { Actor } from '#lib/storage/audit-log.ts';
import type { PostResult } from '../post.ts';
import type { TargetGuard } from '../target-guard.ts';
import { parseWebhookInput, type WebhookInput, WebhookInputError } from './webhook-input.ts';
import { toTestBody } from './webhook-message.ts';
import type { SecretSeed, WebhookSecrets } from './webhook-secrets.ts';
import { overlapMs, type SendWebhook, webhooksMax } from './webhook-sender.ts';
import type { Webhook, WebhookStore } from './webhook-store.ts';

/** What admins and the operator do with webhooks. */
export type Webhooks = Pick<WebhookStore, 'list' | 'find' | 'pause' | 'resume' | 'remove'> &
  Readonly<{
    /** @throws WebhookInputError that says what to change. */
    create: (input: WebhookInput, by?: Actor) => Promise<WebhookWithSecret>;
    /** A new secret; the one before signs, too, for a day. Null if there is no such webhook. */
    rotate: (id: string, by?: Actor) => Promise<WebhookWithSecret | null>;
    /** The webhook's present secret, if it is this text: to show it once. */
    hasSecret: (webhook: Webhook, text: string) => boolean;
    /** Whether its secret, and the one before it, work without KEY_PEPPER_PREVIOUS. */
    isCurrent: (webhook: Webhook) => boolean;
    /** Enqueues a test message. */
    enqueueTest: (id: string) => Promise<void>;
    /** Sends a test message now. */
    sendTest: (webhook: Webhook) => Promise<PostResult & Readonly<{ durationMs: number }>>;
    /** The last hundred, newest first. */
    listDeliveries: (id: string) => Promise<DeliveryRow[]>;
    sendAgain: DeliveryStore['sendAgain'];
  }>;

export type WebhookWithSecret = Readonly<{ webhook: Webhook; secret: string }>;

type WebhooksOptions = Readonly<{
  store: WebhookStore;
  deliveries: Pick<DeliveryStore, 'add' | 'list' | 'sendAgain'>;
  secrets: WebhookSecrets;
  guard: TargetGuard;
  sendWebhook: SendWebhook;
  now: () => number;
}>;

const listedMax = 100;
const testTimeoutMs = 15_000;

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { store, deliveries, secrets, guard, sendWebhook, now } = options;

  function withSecret(webhook: Webhook, seed: SecretSeed): WebhookWithSecret {
    const secret = secrets.toSecret(webhook.id, seed);
    if (secret === null) throw new Error('The secret was made with another pepper.');
    return { webhook, secret };
  }

  return {
    ...store,
    async create(input, by = null) {
      const parsed = await parseWebhookInput(input, guard);
      if ((await store.list()).length >= webhooksMax) {
        const message = `There are ${webhooksMax} webhooks already: remove one first.`;
        throw new WebhookInputError('count', message);
      }
      const seed = secrets.makeSeed();
      return withSecret(await store.create({ ...parsed, seed }, by), seed);
    },
    async rotate(id, by = null) {
      const seed = secrets.makeSeed();
      const isRotated = await store.rotate(id, seed, now() + overlapMs, by);
      const webhook = isRotated ? await store.find(id) : null;
      return webhook === null ? null : withSecret(webhook, seed);
    },
    hasSecret: ({ id, seed }, text) => secrets.toSecret(id, seed) === text,
    isCurrent: ({ seed }) => secrets.isCurrent(seed),
    async enqueueTest(id) {
      await deliveries.add([{ kind: 'webhook', target: id, payload: toTestBody(now()) }], now());
    },
    async sendTest(webhook) {
      const startedAt = performance.now();
      const message = {
        id: `msg_${randomBytes(18).toString('base64url')}`,
        body: toTestBody(now()),
      };
      const result = await sendWebhook(webhook, message, AbortSignal.timeout(testTimeoutMs));
      return { ...result, durationMs: Math.round(performance.now() - startedAt) };
    },
    listDeliveries: (id) => deliveries.list(id, listedMax),
    sendAgain: deliveries.sendAgain,
  };
}
