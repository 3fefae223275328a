import type { Metadata } from 'next';
import { loadDeliveryList } from '#lib/accounts/admin/delivery-list.ts';
import { readListQuery, toListParameters, toListPath } from '#lib/accounts/admin/list-query.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { deliveryList } from '#lib/outbox/delivery-list.ts';
import { getServices } from '#lib/services.ts';
import { SignInNotice } from '../../_components/area/post-form.tsx';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { AdminPage, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';
import { DeliveryTable } from '../_components/delivery-table.tsx';
import { ListForm, ListLinks } from '../_components/long-list.tsx';

export const metadata: Metadata = toAdminMetadata('Deliveries');

const choices = [
  {
    name: 'state',
    label: 'State',
    options: [
      ['', 'All'],
      ['waiting', 'Waiting'],
      ['failing', 'Waiting after a failure'],
      ['delivered', 'Delivered'],
      ['given-up', 'Given up'],
    ],
  },
  {
    name: 'kind',
    label: 'Kind',
    options: [
      ['', 'All'],
      ['webhook', 'Webhooks'],
      ['mail', 'Emails'],
      ['ping', 'Pings of hubs'],
    ],
  },
  {
    name: 'sort',
    label: 'Order',
    options: [
      ['', 'Newest first'],
      ['oldest', 'Oldest first'],
      ['attempts', 'Most attempts first'],
    ],
  },
] as const;

/** Webhooks, emails and pings: those that wait, and the last ones. */
export default async function DeliveriesPage({ searchParams }: QueryPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const query = await readQuery(searchParams);
  const asked = readListQuery(deliveryList, query);
  const { rows, ...place } = await loadDeliveryList(getServices().database, asked);
  const parameters = toListParameters(deliveryList, asked);
  const page = toListPath('/admin/deliveries', parameters, asked.start);
  const count = formatCountOf(place.total, 'delivery', 'deliveries');
  const { target } = asked.filters;
  return (
    <AdminPage
      path="/admin/deliveries"
      title="Deliveries"
      lead={`${count}${target === undefined ? '' : ` to ${target}`}. Messages to webhooks stay here for a while; emails and pings leave once they are sent.`}
      query={query}
    >
      <SignInNotice ageMs={ageMs} to={page} purpose="to send something again" />
      <ListForm
        action="/admin/deliveries"
        label="Webhook, address of a reader, id or result"
        parameters={parameters}
        choices={choices}
      />
      {rows.length > 0 && (
        <DeliveryTable deliveries={rows} formToken={formToken} page={page} hasTargets />
      )}
      <ListLinks path="/admin/deliveries" parameters={parameters} place={place} />
    </AdminPage>
  );
}
