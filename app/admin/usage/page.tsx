import type { Metadata } from 'next';
import { countTokens } from '#lib/accounts/account/account-view.ts';
import { toTokenSeries } from '#lib/accounts/account/usage-view.ts';
import { readAllUsage } from '#lib/accounts/admin/all-usage.ts';
import {
  type AllUsageView,
  readRange,
  toAllUsageView,
  type UsageFailure,
  usageRanges,
} from '#lib/accounts/admin/usage-view.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { toFirstDay } from '#lib/spend/budgets.ts';
import { DataTable } from '../../_components/area/data-table.tsx';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { UsageChart } from '../../_components/area/usage-chart.tsx';
import { CachedShare, PeriodTable, Shares } from '../../_components/area/usage-tables.tsx';
import { Moment, toDollars } from '../../_components/area/words.tsx';
import { Fact } from '../../_components/fact.tsx';
import { ChoiceField, InputField } from '../../_components/fields/form-fields.tsx';
import { AdminPage, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';

export const metadata: Metadata = toAdminMetadata('Usage');

const rangeNames = { 1: 'Today', 7: '7 days', 30: '30 days' } as const;

/** What all members and keys have used. */
export default async function UsagePage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const range = readRange((await readQuery(searchParams)).days);
  const now = Date.now();
  const [fromDay, today] = [toFirstDay(range, now), toFirstDay(1, now)];
  const span = { fromDay, today };
  const usage = toAllUsageView(await readAllUsage(getServices().database, span), span);
  const { total, days, failures, lastFailures } = usage;
  return (
    <AdminPage
      path="/admin/usage"
      title="Usage"
      lead="All members and keys together. Days are in UTC."
    >
      <nav aria-label="Range" className="buttons range-links">
        {usageRanges.map((choice) => (
          <a
            key={choice}
            href={`/admin/usage?days=${choice}`}
            aria-current={choice === range ? 'page' : undefined}
          >
            {rangeNames[choice]}
          </a>
        ))}
      </nav>
      <dl className="usage-sums">
        <Fact term="Tokens">{formatCount(countTokens(total))}</Fact>
        <CachedShare total={total} />
        <Fact term="Requests">{formatCount(total.requests)}</Fact>
        <Fact term="Cost">{toDollars(total.costUsd)}</Fact>
        <Fact term="Failures">{formatCount(sumOf(failures))}</Fact>
      </dl>
      {total.requests === 0 ? (
        <p className="notice">Nothing was used in this period.</p>
      ) : (
        <>
          {days.length > 1 && <UsageChart {...toChart(days)} />}
          <div className="usage-shares">
            <Shares heading="Member" shares={usage.members} />
            <Shares heading="Model" shares={usage.models} />
            <Shares heading="Key" shares={usage.keys} />
          </div>
          <details>
            <summary>Day by day</summary>
            <PeriodTable periods={days} />
          </details>
        </>
      )}
      <SpendForm fromDay={fromDay} today={today} />
      <section className="section" aria-labelledby="failures">
        <h2 id="failures">Failures</h2>
        <FailureTable failures={failures} />
        {lastFailures.length > 0 && <LastFailures failures={lastFailures} />}
      </section>
    </AdminPage>
  );
}

/** A file of any time. */
function SpendForm({ fromDay, today }: Readonly<{ fromDay: string; today: string }>) {
  return (
    <form method="get" action="/admin/usage.csv" className="card create-key">
      <div className="field-row">
        <ChoiceField
          id="by"
          name="by"
          label="Usage by day, of each"
          options={[
            ['member', 'member'],
            ['group', 'group'],
          ]}
        />
        <InputField id="from" name="from" label="From (UTC)" type="date" defaultValue={fromDay} />
        <InputField id="to" name="to" label="To" type="date" defaultValue={today} />
      </div>
      <p>
        <button type="submit" className="button-quiet">
          Download CSV
        </button>
      </p>
    </form>
  );
}

function toChart(days: AllUsageView['days']) {
  const costs = { name: 'All models', values: days.map(({ costUsd }) => costUsd ?? 0) };
  return {
    periods: days.map(({ period }) => period),
    costs: days.some(({ costUsd }) => costUsd) ? [costs] : [],
    tokens: toTokenSeries(days),
  };
}

/** The newest failures: when, who and which model. */
function LastFailures({ failures }: Readonly<{ failures: AllUsageView['lastFailures'] }>) {
  return (
    <DataTable
      caption="The newest, from an upstream or during a reply"
      isCaptionHidden={false}
      rows={failures}
      toId={({ at, status, model, keyId }) => `${at} ${keyId} ${status} ${model}`}
      columns={[
        ['Time', ({ at }) => <Moment timeMs={at} />],
        ['Status', ({ status }) => status],
        ['Model', ({ model }) => model || '–'],
        ['Member', ({ member }) => member ?? '–'],
        ['Key', ({ name, keyId }) => name || keyId],
      ]}
      className="admin-table"
    />
  );
}

function sumOf(failures: readonly Readonly<{ requests: number }>[]): number {
  return failures.reduce((sum, { requests }) => sum + requests, 0);
}

/** Requests that failed, by status and code, the most frequent first. */
function FailureTable({ failures }: Readonly<{ failures: readonly UsageFailure[] }>) {
  if (failures.length === 0) return <p className="lead">None.</p>;
  return (
    <DataTable
      caption="Failures by status and code"
      rows={failures}
      toId={({ status, code }) => `${status} ${code}`}
      columns={[
        ['Status', ({ status }) => status],
        [
          'Code',
          ({ code }) =>
            code === null ? 'from an upstream, or during a reply' : <code>{code}</code>,
        ],
        ['Requests', ({ requests }) => formatCount(requests)],
      ]}
      numbers={['Requests']}
      className="admin-narrow-table"
    />
  );
}
