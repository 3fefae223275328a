import { loadDeliveryList } from '#lib/accounts/admin/delivery-list.ts';
import { deliveryColumns } from '#lib/accounts/admin/list-columns.ts';
import { respondWithList } from '#lib/accounts/admin/list-file.ts';
import { readListQuery } from '#lib/accounts/admin/list-query.ts';
import { createAdminFileRoute } from '#lib/accounts/routes/account-route.ts';
import { deliveryList } from '#lib/outbox/delivery-list.ts';
import { getServices } from '#lib/services.ts';

/** Deliveries as CSV, as the page of them asks for it: `GET /admin/deliveries.csv`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminFileRoute(
  getServices,
  (values, { database }) =>
    respondWithList({
      name: 'deliveries',
      columns: deliveryColumns,
      load: (query) => loadDeliveryList(database, query),
      query: readListQuery(deliveryList, values),
    }),
);
