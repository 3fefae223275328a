import type { Failure } from '#lib/accounts/admin/usage-view.ts';
import { DataTable } from '../../account/_components/data-table.tsx';
import { toCount } from '../../account/_components/words.tsx';

/** Requests that failed, by status and code, the most frequent first. */
export function FailureTable({ failures }: Readonly<{ failures: readonly Failure[] }>) {
  if (failures.length === 0) return <p className="lead">None.</p>;
  return (
    <DataTable
      caption="Failures by status and code"
      headings={['Status', 'Code', 'Requests']}
      className="admin-narrow-table"
    >
      {failures.map(({ status, code, requests }) => (
        <tr key={`${status} ${code}`}>
          <th scope="row">{status}</th>
          <td>{code === null ? 'from an upstream, or during a reply' : <code>{code}</code>}</td>
          <td>{toCount(requests)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
