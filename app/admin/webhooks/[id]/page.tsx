import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { toDeliveryView } from '#lib/accounts/admin/delivery-list.ts';
import { getServices } from '#lib/services.ts';
import { NewSecret } from '../../../_components/area/new-secret.tsx';
import {
  ActionButton,
  ConfirmBox,
  PostForm,
  SignInNotice,
} from '../../../_components/area/post-form.tsx';
import { type QueryPageProps, readQuery } from '../../../_components/area/read-query.ts';
import { Moment } from '../../../_components/area/words.tsx';
import { Fact } from '../../../_components/fact.tsx';
import { AdminPage, requireAdmin, toAdminMetadata } from '../../_components/admin-page.tsx';
import { DeliveryTable } from '../../_components/delivery-table.tsx';

export const metadata: Metadata = toAdminMetadata('Webhook');

type WebhookPageProps = QueryPageProps & Readonly<{ params: Promise<{ id: string }> }>;

const stateTexts = {
  active: 'Active',
  paused: 'Paused: no changes are sent to it.',
  disabled: 'Disabled because nothing could be delivered: no changes are sent to it.',
} as const;

const shownMax = 20;

/** A webhook, its last deliveries, and what an admin may do with it. */
export default async function WebhookPage({ params, searchParams }: WebhookPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const [{ id }, query, request] = await Promise.all([params, readQuery(searchParams), headers()]);
  const { webhooks, members } = getServices();
  const webhook = await webhooks.find(decodeURIComponent(id));
  if (webhook === null) notFound();
  const deliveries = (await webhooks.listDeliveries(webhook.id)).slice(0, shownMax);
  const text = members?.newKey.read(request.get('cookie')) ?? null;
  const secret = text !== null && webhooks.hasSecret(webhook, text) ? text : null;
  const page = `/admin/webhooks/${webhook.id}`;
  const form = { action: `${page}/change`, formToken };
  return (
    <AdminPage
      path="/admin/webhooks"
      title={webhook.name}
      lead={<span className="mono">{webhook.url}</span>}
      query={query}
    >
      <SignInNotice ageMs={ageMs} to={page} purpose="to change this webhook" />
      {secret !== null && (
        <NewSecret
          title="Its secret"
          name="the secret"
          text={secret}
          lead="Copy it now. You won’t see it again."
        />
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
      <PostForm {...form} className="key-actions">
        <p>
          <ActionButton value="test">Send a test</ActionButton>{' '}
          {webhook.state === 'active' ? (
            <ActionButton value="pause">Pause</ActionButton>
          ) : (
            <ActionButton value="resume">Resume</ActionButton>
          )}
        </p>
      </PostForm>
      <section className="section" aria-labelledby="deliveries">
        <h2 id="deliveries">Last deliveries</h2>
        {deliveries.length === 0 ? (
          <p className="lead">None yet.</p>
        ) : (
          <>
            <DeliveryTable
              deliveries={deliveries.map((row) =>
                toDeliveryView({ ...row, webhook_name: webhook.name }),
              )}
              formToken={formToken}
              page={page}
            />
            <p>
              <a
                className="button-quiet"
                href={`/admin/deliveries?${new URLSearchParams({ target: webhook.id })}`}
              >
                All its deliveries
              </a>
            </p>
          </>
        )}
      </section>
      <section className="section" aria-labelledby="change">
        <h2 id="change">Secret and removal</h2>
        <div className="key-actions">
          <PostForm {...form}>
            <p>The old secret works for another 24 hours, so nothing gets lost.</p>
            <ConfirmBox>
              Make a new secret for <em>{webhook.name}</em>?
            </ConfirmBox>
            <ActionButton value="rotate">Rotate</ActionButton>
          </PostForm>
          <PostForm {...form}>
            <ConfirmBox>
              Remove <em>{webhook.name}</em> for good? Messages that are still waiting are not sent.
            </ConfirmBox>
            <ActionButton value="remove" isWrong>
              Remove
            </ActionButton>
          </PostForm>
        </div>
      </section>
    </AdminPage>
  );
}
