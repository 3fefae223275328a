import type { Metadata } from 'next';
import { type TableHealth, toTableHealth } from '#lib/accounts/admin/table-health.ts';
import { getServices } from '#lib/services.ts';
import { Fact } from '../../_components/fact.tsx';
import { DataTable } from '../../account/_components/data-table.tsx';
import { Moment, toCount, toCountOf } from '../../account/_components/words.tsx';
import { AdminPage, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = toAdminMetadata('Events');

/** What the last reads of the events table found. */
export default async function EventsPage() {
  await requireAdmin();
  const { events, config } = getServices();
  // If the table cannot be read, the page says so.
  await events.current().catch(() => null);
  const health = toTableHealth(events.status(), config.airtable);
  const { readAtMs, failure } = health;
  return (
    <AdminPage
      path="/admin/events"
      title="Events table"
      lead={
        readAtMs === null ? (
          'Not read yet since the start.'
        ) : (
          <>
            Last read <Moment timeMs={readAtMs} />, {toSeconds(Date.now() - readAtMs)} ago.
          </>
        )
      }
    >
      {failure !== null && (
        <div className={failure.isOver ? 'notice' : 'notice notice-wrong'}>
          <p>
            {failure.isOver ? 'The last failure is over.' : 'The table cannot be read.'}{' '}
            {toSentence(failure.reason)}
          </p>
          <p className="quiet">
            <Moment timeMs={failure.atMs} />
          </p>
        </div>
      )}
      <dl className="usage-sums">
        <Fact term="Events on the site">{toCount(health.events ?? 0)}</Fact>
        <Fact term="Rows left out">{toCount(health.leftOut)}</Fact>
        <Fact term="Cells repaired">{toCount(health.repaired)}</Fact>
      </dl>
      <section className="account-section" aria-labelledby="rows">
        <h2 id="rows">Rows left out or repaired</h2>
        <Rows {...health} />
      </section>
    </AdminPage>
  );
}

function Rows({ rows, leftOut, repaired }: TableHealth) {
  if (leftOut + repaired === 0) return <p className="lead">None.</p>;
  if (rows === null) {
    return (
      <p>
        Another instance has read the table, so its rows are not shown here.{' '}
        <code>npm run doctor</code> lists them.
      </p>
    );
  }
  return (
    <>
      <DataTable
        caption="Rows left out or repaired"
        headings={['Record', 'Result', 'Column', 'Value']}
        className="table-rows"
      >
        {rows.map(({ recordId, url, column, value, result }) => (
          <tr key={`${recordId} ${column} ${result} ${value}`}>
            <th scope="row">
              <a className="mono" href={url} rel="noreferrer">
                {recordId}
              </a>
            </th>
            <td>{result}</td>
            <td>{column}</td>
            <td className="row-value">{value}</td>
          </tr>
        ))}
      </DataTable>
      {rows.length < leftOut + repaired && (
        <p className="quiet">
          The first {toCount(rows.length)} of {toCount(leftOut + repaired)}.
        </p>
      )}
    </>
  );
}

function toSeconds(durationMs: number): string {
  const seconds = Math.max(Math.round(durationMs / 1000), 0);
  return toCountOf(seconds, 'second');
}

function toSentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
