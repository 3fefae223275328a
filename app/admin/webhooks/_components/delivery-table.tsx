import { DataTable } from '../../../account/_components/data-table.tsx';
import { FormToken } from '../../../account/_components/form-token.tsx';
import { Moment } from '../../../account/_components/words.tsx';

type DeliveryTableProps = Readonly<{
  deliveries: readonly Readonly<{
    id: string;
    type: string;
    status: string;
    attempts: number;
    durationMs: number | null;
    createdAt: number;
    isFinished: boolean;
  }>[];
  /** Where the forms lead. */
  action: string;
  formToken: string;
}>;

/** The last deliveries of a webhook, with their last attempt. */
export function DeliveryTable({ deliveries, action, formToken }: DeliveryTableProps) {
  if (deliveries.length === 0) return <p className="lead">None yet.</p>;
  return (
    <DataTable
      caption="Deliveries"
      headings={['Delivery', 'Status', 'Attempts', 'Duration', 'Since']}
      numbers={['Attempts', 'Duration']}
      action="Send again"
      className="admin-table"
    >
      {deliveries.map(({ id, type, status, attempts, durationMs, createdAt, isFinished }) => (
        <tr key={id}>
          <th scope="row">
            {type}
            <span className="quiet mono member-address">{id}</span>
          </th>
          <td data-label="Status">{status}</td>
          <td data-number="" data-label="Attempts">
            {attempts}
          </td>
          <td data-number="" data-label="Duration">
            {durationMs === null ? '–' : `${durationMs} ms`}
          </td>
          <td data-label="Since">
            <Moment timeMs={createdAt} />
          </td>
          <td>
            {isFinished && (
              <form method="post" action={action}>
                <FormToken value={formToken} />
                <input type="hidden" name="delivery" value={id} />
                <button type="submit" name="action" value="again" className="button-quiet">
                  Send again<span className="visually-hidden"> {id}</span>
                </button>
              </form>
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
