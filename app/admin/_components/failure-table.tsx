import type { Failure } from '#lib/admin/usage-view.ts';
import { ScrolledTable } from '../../_components/scrolled.tsx';
import { toCount } from '../../account/_components/words.tsx';

/** Requests that failed, by status and code, the most frequent first. */
export function FailureTable({ failures }: Readonly<{ failures: readonly Failure[] }>) {
  if (failures.length === 0) return <p className="lead">None.</p>;
  return (
    <ScrolledTable className="data-table admin-narrow-table">
      <caption className="visually-hidden">Failures by status and code</caption>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Code</th>
          <th scope="col">Requests</th>
        </tr>
      </thead>
      <tbody>
        {failures.map(({ status, code, requests }) => (
          <tr key={`${status} ${code}`}>
            <th scope="row">{status}</th>
            <td>{code === null ? 'by an upstream, or in mid-reply' : <code>{code}</code>}</td>
            <td>{toCount(requests)}</td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}
