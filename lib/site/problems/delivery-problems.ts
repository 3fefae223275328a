import { formatCountOf } from '#lib/events/words/format-count.ts';
import type { DeliveryKind } from '#lib/outbox/delivery.ts';
import type { DeliveryStore, LateDeliveries } from '#lib/outbox/delivery-store.ts';
import type { Webhook, WebhookStore } from '../notifications/webhooks/webhook-store.ts';
import { type SiteProblem, toMinuteText } from './site-problem.ts';

const kindNames: Readonly<Record<DeliveryKind, readonly [one: string, many: string]>> = {
  webhook: ['delivery to a webhook', 'deliveries to webhooks'],
  ping: ['ping of a hub', 'pings of hubs'],
  mail: ['email', 'emails'],
};

const kindAdvice: Readonly<Record<DeliveryKind, string>> = {
  webhook: 'Look at what their URLs respond, and pause a webhook that nobody needs.',
  ping: 'Check WEBSUB_HUB. Nothing is lost: feeds are read without pings, too.',
  mail: 'Check that SMTP_URL is set, and that its server takes emails. They leave once it does, for three days.',
};

export type DeliveryStores = Readonly<{
  deliveries: Pick<DeliveryStore, 'listLate'>;
  webhooks: Pick<WebhookStore, 'list'>;
  readClock: () => Promise<number>;
}>;

/** Attempts are made within seconds; this leaves time for a slow target. */
const lateMs = 5 * 60_000;

/** Webhooks that fail, and deliveries that should have left by now. */
export async function findDeliveryProblems({
  deliveries,
  webhooks,
  readClock,
}: DeliveryStores): Promise<SiteProblem[]> {
  const late = await deliveries.listLate((await readClock()) - lateMs);
  return [...findWebhookProblems(await webhooks.list()), ...late.map(toDeliveryProblem)];
}

function toDeliveryProblem({ kind, count, firstAt }: LateDeliveries): SiteProblem {
  const [one, many] = kindNames[kind];
  const what = formatCountOf(count, `${one} waits`, `${many} wait`);
  return {
    what: `${what} since ${toMinuteText(firstAt)}.`,
    advice: kindAdvice[kind],
    href: `/admin/deliveries?${new URLSearchParams({ state: 'waiting', kind, sort: 'oldest' })}`,
  };
}

/** Webhooks to which nothing can be delivered. */
function findWebhookProblems(webhooks: readonly Webhook[]): SiteProblem[] {
  return webhooks.flatMap(({ id, name, state, failingSince }) => {
    const href = `/admin/webhooks/${id}`;
    if (state === 'disabled') {
      return {
        what: `The webhook “${name}” is disabled, because nothing could be delivered.`,
        advice: 'Correct what it calls and resume it, or remove it.',
        href,
      };
    }
    if (state !== 'active' || failingSince === null) return [];
    return {
      what: `The webhook “${name}” has been failing since ${toMinuteText(failingSince)}.`,
      advice: 'Its page shows what its URL responds. After five days it is disabled.',
      href,
    };
  });
}
