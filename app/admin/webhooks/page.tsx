import type { Metadata } from 'next';
import { findAdminDone, findAdminProblem } from '#lib/accounts/admin/problems.ts';
import { getServices } from '#lib/services.ts';
import { DataTable } from '../../account/_components/data-table.tsx';
import { FormToken } from '../../account/_components/form-token.tsx';
import { SignInNotice } from '../../account/_components/sign-in-notice.tsx';
import { Day } from '../../account/_components/words.tsx';
import {
  AdminPage,
  type AdminPageProps,
  readQuery,
  requireAdmin,
  toAdminMetadata,
} from '../_components/admin-page.tsx';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = toAdminMetadata('Webhooks');

/** Programs that are told when events change. */
export default async function WebhooksPage({ searchParams }: AdminPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const query = await readQuery(searchParams);
  const webhooks = await getServices().notifications.webhooks.list();
  return (
    <AdminPage
      path="/admin/webhooks"
      title="Webhooks"
      lead={
        <>
          Programs that are told when events change.{' '}
          <a href="/docs/webhooks">What they get, and how they check it</a>
        </>
      }
      problem={findAdminProblem(query.problem)}
      done={findAdminDone(query.done)}
    >
      <SignInNotice ageMs={ageMs} to="/admin/webhooks" purpose="to change webhooks" />
      {webhooks.length > 0 && (
        <DataTable
          caption="Webhooks"
          headings={['Webhook', 'Types', 'Events', 'Created']}
          className="admin-table"
        >
          {webhooks.map(({ id, name, url, types, filter, state, createdAt }) => (
            <tr key={id} className={state === 'active' ? undefined : 'is-off'}>
              <th scope="row">
                <a href={`/admin/webhooks/${id}`}>{name}</a>
                {state !== 'active' && <span className="badge badge-off">{state}</span>}
                <span className="quiet mono member-address">{url}</span>
              </th>
              <td data-label="Types">{types.join(', ')}</td>
              <td data-label="Events">{filter === '' ? 'all' : <code>{filter}</code>}</td>
              <td data-label="Created">
                <Day timeMs={createdAt} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <form method="post" action="/admin/webhooks/change" className="create-key">
        <FormToken value={formToken} />
        <h2 className="upstream-name">Create a webhook</h2>
        <div className="field-row">
          <TextField
            name="url"
            label="URL"
            value={query.url}
            placeholder="https://hooks.example/events"
            isRequired
          />
          <TextField name="name" label="Name" value={query.name} placeholder="Our website" />
        </div>
        <div className="field-row">
          <TextField name="types" label="Types" value={query.types} placeholder="event.*" />
          <TextField name="filter" label="Filter" value={query.filter} placeholder="city=ghent" />
        </div>
        <p>
          <button type="submit" className="button">
            Create webhook
          </button>
        </p>
      </form>
    </AdminPage>
  );
}

type TextFieldProps = Readonly<{
  name: string;
  label: string;
  value: string | undefined;
  placeholder: string;
  isRequired?: boolean;
}>;

function TextField({ name, label, value, placeholder, isRequired }: TextFieldProps) {
  return (
    <p className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        defaultValue={value}
        placeholder={placeholder}
        required={isRequired}
        maxLength={2_000}
        autoComplete="off"
      />
    </p>
  );
}
