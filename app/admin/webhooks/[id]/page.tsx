import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { findAdminDone, findAdminProblem } from '#lib/accounts/admin/problems.ts';
import { getServices } from '#lib/services.ts';
import { toDeliveryView } from '#lib/site/notifications/webhooks/webhooks.ts';
import { CopyButton } from '../../../_components/copy-button.tsx';
import { Fact } from '../../../_components/fact.tsx';
import { ConfirmBox } from '../../../account/_components/confirm-box.tsx';
import { FormToken } from '../../../account/_components/form-token.tsx';
import { SignInNotice } from '../../../account/_components/sign-in-notice.tsx';
import { Moment } from '../../../account/_components/words.tsx';
import {
  AdminPage,
  type AdminPageProps,
  readQuery,
  requireAdmin,
  toAdminMetadata,
} from '../../_components/admin-page.tsx';
import { DeliveryTable } from '../_components/delivery-table.tsx';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = toAdminMetadata('Webhook');

type WebhookPageProps = AdminPageProps & Readonly<{ params: Promise<{ id: string }> }>;

const stateTexts = {
  active: 'Active',
  paused: 'Paused: it gets no changes.',
  disabled: 'Disabled because nothing could be delivered: it gets no changes.',
} as const;

/** A webhook, its last deliveries, and what an admin may do with it. */
export default async function WebhookPage({ params, searchParams }: WebhookPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const [{ id }, query, request] = await Promise.all([params, readQuery(searchParams), headers()]);
  const { notifications, members } = getServices();
  const { webhooks } = notifications;
  const webhook = await webhooks.find(decodeURIComponent(id));
  if (webhook === null) notFound();
  const deliveries = (await webhooks.listDeliveries(webhook.id)).map(toDeliveryView);
  const text = members?.newKey.read(request.get('cookie')) ?? null;
  const secret = text !== null && webhooks.hasSecret(webhook, text) ? text : null;
  const action = `/admin/webhooks/${webhook.id}/change`;
  return (
    <AdminPage
      path="/admin/webhooks"
      title={webhook.name}
      lead={<span className="mono">{webhook.url}</span>}
      problem={findAdminProblem(query.problem)}
      done={findAdminDone(query.done)}
    >
      <SignInNotice
        ageMs={ageMs}
        to={`/admin/webhooks/${webhook.id}`}
        purpose="to change this webhook"
      />
      {secret !== null && (
        <section className="new-key" aria-labelledby="secret">
          <h2 id="secret">Its secret</h2>
          <p>Copy it now. You won’t see it again.</p>
          <p className="new-key-text">
            <code>{secret}</code>
            <CopyButton text={secret} name="the secret" />
          </p>
        </section>
      )}
      <div className="key-facts">
        <dl>
          <Fact term="State">{stateTexts[webhook.state]}</Fact>
          <Fact term="Types">{webhook.types.join(', ')}</Fact>
          <Fact term="Events">{webhook.filter === '' ? 'all' : <code>{webhook.filter}</code>}</Fact>
          <Fact term="Created">
            <Moment timeMs={webhook.createdAt} />
          </Fact>
        </dl>
      </div>
      <form method="post" action={action} className="key-actions">
        <FormToken value={formToken} />
        <p>
          <button type="submit" name="action" value="test" className="button-quiet">
            Send a test
          </button>{' '}
          {webhook.state === 'active' ? (
            <button type="submit" name="action" value="pause" className="button-quiet">
              Pause
            </button>
          ) : (
            <button type="submit" name="action" value="resume" className="button-quiet">
              Resume
            </button>
          )}
        </p>
      </form>
      <section className="account-section" aria-labelledby="deliveries">
        <h2 id="deliveries">Last deliveries</h2>
        <DeliveryTable deliveries={deliveries} action={action} formToken={formToken} />
      </section>
      <section className="account-section" aria-labelledby="change">
        <h2 id="change">Secret and removal</h2>
        <div className="key-actions">
          <form method="post" action={action}>
            <FormToken value={formToken} />
            <p>The old secret works for another 24 hours, so nothing gets lost.</p>
            <ConfirmBox label="Make a new secret" />
            <button type="submit" name="action" value="rotate" className="button-quiet">
              Rotate
            </button>
          </form>
          <form method="post" action={action}>
            <FormToken value={formToken} />
            <p>Messages that are still waiting are not sent.</p>
            <ConfirmBox label="Remove it for good" />
            <button
              type="submit"
              name="action"
              value="remove"
              className="button-quiet button-wrong"
            >
              Remove
            </button>
          </form>
        </div>
      </section>
    </AdminPage>
  );
}
