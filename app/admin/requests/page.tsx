import type { Metadata } from 'next';
import { loadModelsOfSite, requestsOfSite } from '#lib/accounts/lists/request-list.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { ListFrame } from '../../_components/area/list-frame.tsx';
import type { QueryPageProps } from '../../_components/area/read-query.ts';
import { RequestTable } from '../../_components/area/request-table.tsx';
import { AdminPage, openList, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';

export const metadata: Metadata = toAdminMetadata('Requests');

/** The requests of everybody. */
export default async function RequestsPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const { query, source } = await openList(requestsOfSite, searchParams);
  const [{ rows, ...place }, models] = await Promise.all([
    requestsOfSite.load(source, query),
    loadModelsOfSite(source),
  ]);
  const { key } = query.filters;
  const { usageDays } = getServices().config.storage;
  return (
    <AdminPage
      path={requestsOfSite.path}
      title="Requests"
      lead={`Requests of the last ${formatCount(usageDays)} days, with up to ten rejected ones a minute of each key. No prompts and no replies are stored.`}
    >
      <ListFrame
        list={requestsOfSite}
        query={query}
        place={place}
        options={{
          ...(key !== undefined && { key: [[key, rows[0]?.keyName ?? key]] }),
          model: models.map((model) => [model, model]),
        }}
        className="request-filters"
      >
        {rows.length === 0 ? (
          <p className="notice">
            {place.after === null
              ? 'No requests match.'
              : 'None of the newest requests match. There may be older ones that do.'}
          </p>
        ) : (
          <RequestTable path={requestsOfSite.path} requests={rows} sort={query.sort} hasMembers />
        )}
      </ListFrame>
    </AdminPage>
  );
}
