import type { Metadata } from 'next';
import { countTokens } from '#lib/accounts/account/account-view.ts';
import {
  type BudgetLine,
  toBudgetLines,
  toSpendOutlook,
} from '#lib/accounts/account/spend-outlook.ts';
import { loadUsage } from '#lib/accounts/account/usage-data.ts';
import { readUsageSpan } from '#lib/accounts/account/usage-span.ts';
import { toSessionUsages, toUsageView, type UsageView } from '#lib/accounts/account/usage-view.ts';
import { formatCount, formatCountOf } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { toPeriodDays } from '#lib/spend/periods.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { UsageChart } from '../../_components/area/usage-chart.tsx';
import {
  CachedShare,
  ModelTable,
  PeriodTable,
  SessionTable,
  Shares,
} from '../../_components/area/usage-tables.tsx';
import { toCostText } from '../../_components/area/words.tsx';
import { Fact } from '../../_components/fact.tsx';
import { toPageMetadata } from '../../_metadata/page-metadata.ts';
import { AreaHeader } from '../_components/account-nav.tsx';
import { loadVisit } from '../_components/member-page.tsx';
import { OutlookText } from '../_components/outlook-text.tsx';
import { SpanForm, toSpanSearch } from './span-form.tsx';
import '../../_styles/fields.css';
import '../../_styles/prose.css';
import '../../_components/area/area.css';
import '../../_components/area/usage.css';

export function generateMetadata(): Metadata {
  return toPageMetadata({
    path: '/account/usage',
    title: 'Usage',
    description: 'What you spend, by day and by model.',
    isIndexed: false,
  });
}

const sessionsMs = 86_400_000;

const path = '/account/usage';

/** What a member has used. */
export default async function UsagePage({ searchParams }: QueryPageProps) {
  const { signedIn, panel } = await loadVisit(path);
  if (signedIn === null) return panel;
  const { member } = signedIn;
  const { database, config } = getServices();
  const now = Date.now();
  const query = await readQuery(searchParams);
  const span = readUsageSpan(query, now);
  const [data, balances, sessions] = await Promise.all([
    loadUsage(database, member.id, span),
    database.balances.find([`member:${member.id}`], toPeriodDays(toUtcDay(now))),
    database.usage.sumOfSessions(member.id, now - sessionsMs),
  ]);
  const { memberBudget } = config.keys;
  return (
    <div className="account">
      <AreaHeader path={path} title="Usage">
        <OutlookText outlook={toSpendOutlook({ member, memberBudget, balances, now })} />
      </AreaHeader>
      <SpanForm path={path} span={span} />
      <UsageOfSpan
        usage={toUsageView(data)}
        lines={toBudgetLines({ member, memberBudget }, span.unit, now)}
      />
      {sessions.length > 0 && <SessionTable sessions={toSessionUsages(sessions, data)} />}
      <p className="buttons">
        <a className="button-quiet" href={`${path}.csv${toSpanSearch(span)}`} download>
          Download CSV
        </a>
        <a className="button-quiet" href={`${path}.json${toSpanSearch(span)}`} download>
          Download JSON
        </a>
      </p>
    </div>
  );
}

type UsageOfSpanProps = Readonly<{ usage: UsageView; lines: readonly BudgetLine[] }>;

function UsageOfSpan({ usage, lines }: UsageOfSpanProps) {
  const { periods, total, unpriced, models, keys, costs, tokens } = usage;
  if (total.requests === 0) {
    return (
      <p className="notice">
        No requests in this time. A new one shows up here a second after its reply ends.
      </p>
    );
  }
  return (
    <>
      <dl className="usage-sums">
        <Fact term="Cost">{toCostText(total)}</Fact>
        <Fact term="Tokens">{formatCount(countTokens(total))}</Fact>
        <CachedShare total={total} />
        <Fact term="Requests">{formatCount(total.requests)}</Fact>
      </dl>
      {unpriced > 0 && total.costUsd !== null && (
        <p className="notice">
          The cost of {formatCountOf(unpriced, 'request')} is not known, since their models have no
          price here. It is not part of these sums.
        </p>
      )}
      <UsageChart
        periods={periods.map(({ period }) => period)}
        costs={costs}
        tokens={tokens}
        lines={lines}
      />
      <details>
        <summary>The same as a table</summary>
        <PeriodTable periods={periods} />
      </details>
      <ModelTable models={models} />
      <Shares heading="Key" shares={keys} />
    </>
  );
}
