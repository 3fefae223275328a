import type { Database } from '#lib/database.ts';
import type { Webhook } from '#lib/site/notifications/webhooks/webhook-store.ts';
import { toSafeText } from '../terminal.ts';
import { type Finding, ok, warning } from './finding.ts';

/** The webhooks, what waits to be delivered, and what cannot be. */
export async function examineDeliveries({
  deliveries,
  webhooks,
}: Pick<Database, 'deliveries' | 'webhooks'>): Promise<Finding> {
  const all = await webhooks.list();
  const waiting = await deliveries.countWaiting();
  const text = `${all.length} webhooks; waiting: ${waiting.webhook} deliveries to them, ${waiting.ping} pings, ${waiting.mail} mails`;
  const problems = all.map(describeProblem).filter((problem) => problem !== null);
  const judge = problems.length === 0 ? ok : warning;
  return { name: 'deliveries', ...judge([text, ...problems].join('; ')) };
}

function describeProblem({ name, state, failingSince }: Webhook): string | null {
  const title = `“${toSafeText(name)}”`;
  if (state === 'disabled') return `${title} is disabled, since nothing could be delivered`;
  if (failingSince === null) return null;
  return `${title} has failed since ${new Date(failingSince).toISOString()}`;
}
