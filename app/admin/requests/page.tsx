import type { Metadata } from 'next';
import type { ListedRequest } from '#lib/accounts/account/request-list.ts';
import {
  allRequests,
  readRequestPlace,
  toRequestSearch,
} from '#lib/accounts/account/request-query.ts';
import { toKeyName } from '#lib/accounts/account/usage-files.ts';
import {
  loadSiteRequests,
  readSiteRequestQuery,
  type SiteRequests,
} from '#lib/accounts/admin/request-list.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { RequestTable } from '../../_components/area/request-table.tsx';
import { InputField } from '../../_components/fields/form-fields.tsx';
import { RequestFilters } from '../../account/requests/request-filters.tsx';
import { RequestLinks } from '../../account/requests/request-links.tsx';
import { AdminPage, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';

export const metadata: Metadata = toAdminMetadata('Requests');

const path = '/admin/requests';

/** The requests of everybody. */
export default async function RequestsPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const parameters = await readQuery(searchParams);
  const now = Date.now();
  const query = readSiteRequestQuery(parameters, now);
  const after = readRequestPlace(parameters.after);
  const { database, config } = getServices();
  const list = await loadSiteRequests(database, query, { after, now });
  const { person, key } = query;
  return (
    <AdminPage
      path={path}
      title="Requests"
      lead={`Requests of the last ${formatCount(config.storage.usageDays)} days, with up to ten rejected ones a minute of each key. No prompts and no replies are stored.`}
    >
      <RequestFilters
        path={path}
        query={query}
        keys={key === '' ? [] : [{ id: key, name: toKeyName(list.keyNames, key) }]}
        models={list.models}
        isOtherOn={person !== ''}
      >
        <InputField
          id="person"
          name="person"
          label="Member (address or id)"
          defaultValue={person}
          maxLength={300}
        />
      </RequestFilters>
      {list.requests.length === 0 ? (
        <p className="notice">
          {list.next === null
            ? 'No requests match.'
            : 'None of the newest requests match. There may be older ones that do.'}
        </p>
      ) : (
        <RequestTable
          requests={list.requests}
          sort={query.sort}
          toKeyName={(id) => toKeyName(list.keyNames, id)}
          toSessionHref={(session) => path + toRequestSearch({ ...allRequests, session })}
          toOwner={(request) => <RequestOwner request={request} {...list} />}
        />
      )}
      <RequestLinks path={path} query={query} place={after} next={list.next} />
    </AdminPage>
  );
}

type RequestOwnerProps = Readonly<{ request: ListedRequest }> & Pick<SiteRequests, 'memberNames'>;

function RequestOwner({ request: { member_id: id }, memberNames }: RequestOwnerProps) {
  if (id === null) return <span className="quiet">Operator</span>;
  const name = memberNames.get(id);
  if (name === undefined) return <span className="quiet">Deleted member</span>;
  return <a href={`/admin/members/${id}`}>{name}</a>;
}
