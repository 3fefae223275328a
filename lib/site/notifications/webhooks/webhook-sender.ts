import type { Delivery, Sender } from '#lib/outbox/delivery.ts';
import { type PostResult, post } from '../post.ts';
import { TargetError, type TargetGuard } from '../target-guard.ts';
import { testType } from './webhook-message.ts';
import { sign, type WebhookSecrets } from './webhook-secrets.ts';
import type { OnDisabled, Webhook, WebhookStore } from './webhook-store.ts';

type SenderOptions = Readonly<{
  webhooks: Pick<WebhookStore, 'find' | 'noteSuccess' | 'noteFailure'>;
  secrets: WebhookSecrets;
  guard: TargetGuard;
  siteUrl: string;
  onDisabled: OnDisabled;
  now: () => number;
}>;

type WebhookMessage = Readonly<{ id: string; body: string }>;

/** Sends one attempt. Never throws. */
export type SendWebhook = (
  webhook: Webhook,
  message: WebhookMessage,
  signal: AbortSignal,
) => Promise<PostResult>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Of the Standard Webhooks specification. */
const retryDelaysMs = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** The most webhooks that a site has: each may be slow without holding up another. */
export const webhooksMax = 100;

/** How long the secret before signs, too, after a rotation. */
export const overlapMs = 24 * hourMs;

type CallOptions = Pick<SenderOptions, 'secrets' | 'guard' | 'siteUrl' | 'now'>;

export function createSendWebhook({ secrets, guard, siteUrl, now }: CallOptions): SendWebhook {
  return async (webhook, { id, body }, signal) => {
    const signing = toSigningSecrets(webhook, secrets, now());
    if (signing.length === 0) return toFailure('its secret is lost: rotate it');
    try {
      const target = await guard.resolve(webhook.url);
      const timestamp = Math.floor(now() / 1000);
      const headers = {
        'content-type': 'application/json',
        'user-agent': `Marquee-Webhooks (+${siteUrl}/docs/webhooks)`,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': sign(signing, { id, timestamp, body }),
      };
      return await post({ ...target, headers, body, signal, now });
    } catch (error) {
      return toFailure(error instanceof TargetError ? 'URL refused' : 'no such host');
    }
  };
}

/** Sends a delivery to its webhook, and disables one whose target is gone or has failed for days. */
export function createWebhookSender(options: SenderOptions): Sender {
  const { webhooks, onDisabled, now } = options;
  const sendWebhook = createSendWebhook(options);

  async function send(delivery: Delivery, signal: AbortSignal) {
    const { id, target, payload } = delivery;
    const webhook = await webhooks.find(target);
    if (webhook === null) return toGivenUp('removed');
    // A test shows whether it is time to resume.
    if (webhook.state !== 'active' && JSON.parse(payload).type !== testType) {
      return toGivenUp(webhook.state);
    }
    const { status, ...attempt } = await sendWebhook(webhook, { id, body: payload }, signal);
    if (attempt.outcome === 'delivered') {
      if (webhook.failingSince !== null) await webhooks.noteSuccess(target);
      return attempt;
    }
    // It says nothing of the target that this instance stops.
    if (signal.aborted && status === null) return attempt;
    const isGone = status === 410;
    await webhooks.noteFailure(target, { at: now(), isGone }, onDisabled);
    return isGone ? toGivenUp(attempt.result) : attempt;
  }

  return { send, retryDelaysMs, parallelMax: webhooksMax, finishedMax: 100 };
}

function toSigningSecrets({ id, seed, previous }: Webhook, secrets: WebhookSecrets, now: number) {
  const seeds = previous !== null && previous.until > now ? [seed, previous.seed] : [seed];
  return seeds.map((current) => secrets.toSecret(id, current)).filter((secret) => secret !== null);
}

function toFailure(result: string): PostResult {
  return { outcome: 'failed', result, status: null };
}

function toGivenUp(result: string) {
  return { outcome: 'given-up', result } as const;
}
