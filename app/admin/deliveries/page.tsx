import type { Metadata } from 'next';
import { deliveries } from '#lib/accounts/admin/delivery-list.ts';
import { toListSearch } from '#lib/accounts/lists/list-query.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { ListFrame } from '../../_components/area/list-frame.tsx';
import { SignInNotice } from '../../_components/area/post-form.tsx';
import type { QueryPageProps } from '../../_components/area/read-query.ts';
import { AdminPage, openList, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';
import { DeliveryTable } from '../_components/delivery-table.tsx';

export const metadata: Metadata = toAdminMetadata('Deliveries');

/** Webhooks, emails and pings: those that wait, and the last ones. */
export default async function DeliveriesPage({ searchParams }: QueryPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const { values, query, source } = await openList(deliveries, searchParams);
  const { rows, ...place } = await deliveries.load(source, query);
  const page = deliveries.path + toListSearch(deliveries, query, query.start);
  const count = formatCountOf(place.total, 'delivery', 'deliveries');
  const { target } = query.filters;
  return (
    <AdminPage
      path={deliveries.path}
      title="Deliveries"
      lead={`${count}${target === undefined ? '' : ` to ${target}`}. Messages to webhooks stay here for a while; emails and pings leave once they are sent.`}
      query={values}
    >
      <SignInNotice ageMs={ageMs} to={page} purpose="to send something again" />
      <ListFrame list={deliveries} query={query} place={place}>
        {rows.length > 0 && (
          <DeliveryTable deliveries={rows} formToken={formToken} page={page} hasTargets />
        )}
      </ListFrame>
    </AdminPage>
  );
}
