import type { Metadata } from 'next';
import { getServices } from '#lib/services.ts';
import { DataTable } from '../../_components/area/data-table.tsx';
import { PostForm, SignInNotice } from '../../_components/area/post-form.tsx';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { Day } from '../../_components/area/words.tsx';
import { InputField } from '../../_components/fields/form-fields.tsx';
import { AdminPage, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';

export const metadata: Metadata = toAdminMetadata('Webhooks');

/** Programs that are told when events change. */
export default async function WebhooksPage({ searchParams }: QueryPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const query = await readQuery(searchParams);
  const webhooks = await getServices().webhooks.list();
  const toField = (name: string) => ({
    id: name,
    name,
    defaultValue: query[name],
    maxLength: 2_000,
  });
  return (
    <AdminPage
      path="/admin/webhooks"
      title="Webhooks"
      lead={
        <>
          Programs that are told when events change.{' '}
          <a href="/docs/webhooks">Payloads and signatures</a>
        </>
      }
      query={query}
    >
      <SignInNotice ageMs={ageMs} to="/admin/webhooks" purpose="to change webhooks" />
      {webhooks.length > 0 && (
        <DataTable
          caption="Webhooks"
          rows={webhooks}
          toId={({ id }) => id}
          isOff={({ state }) => state !== 'active'}
          columns={[
            [
              'Webhook',
              ({ id, name, url, state }) => (
                <>
                  <a href={`/admin/webhooks/${id}`}>{name}</a>
                  {state !== 'active' && <span className="badge badge-off">{state}</span>}
                  <span className="quiet mono member-address">{url}</span>
                </>
              ),
            ],
            ['Types', ({ types }) => types.join(', ')],
            ['Events', ({ filter }) => (filter === '' ? 'all' : <code>{filter}</code>)],
            ['Created', ({ createdAt }) => <Day timeMs={createdAt} />],
          ]}
          className="admin-table"
        />
      )}
      <PostForm action="/admin/webhooks/change" formToken={formToken} className="card create-key">
        <h2 className="upstream-name">Create a webhook</h2>
        <div className="field-row">
          <InputField
            {...toField('url')}
            label="URL"
            placeholder="https://hooks.example/events"
            required
          />
          <InputField {...toField('name')} label="Name" placeholder="Our website" />
        </div>
        <div className="field-row">
          <InputField {...toField('types')} label="Types" placeholder="event.*" />
          <InputField {...toField('filter')} label="Filter" placeholder="city=ghent" />
        </div>
        <p>
          <button type="submit" className="button">
            Create webhook
          </button>
        </p>
      </PostForm>
    </AdminPage>
  );
}
