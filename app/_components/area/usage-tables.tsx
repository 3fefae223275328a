import {
  countTokens,
  formatCachedShare,
  type UsageShare,
} from '#lib/accounts/account/account-view.ts';
import type { ModelUsage, SessionUsage, UsagePeriod } from '#lib/accounts/account/usage-view.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { Fact } from '../fact.tsx';
import { DataTable, ShareBar } from './data-table.tsx';
import { DollarCell, Moment, toCostText, toDurationText, toPeriodText } from './words.tsx';

type Totals = Parameters<typeof countTokens>[0];

/** Cached input costs less. */
export function CachedShare({ total }: Readonly<{ total: Totals }>) {
  const share = formatCachedShare(total);
  return share === null ? null : <Fact term="Cached input">{share}</Fact>;
}

const totals = [
  ['Tokens', (totals: Totals) => formatCount(countTokens(totals))],
  ['Requests', ({ requests }: Totals) => formatCount(requests)],
  ['Cost', (totals: Totals) => <DollarCell text={toCostText(totals)} />],
] as const;

const numbers = [
  'Tokens',
  'Input tokens',
  'Cached input',
  'Output tokens',
  'Requests',
  'Cost',
  'Cost unknown',
  'First token',
  'Tokens a second',
];

type SharesProps = Readonly<{ heading: string; shares: readonly UsageShare[] }>;

/** Shares of the usage, as bars. */
export function Shares({ heading, shares }: SharesProps) {
  const max = Math.max(...shares.map(countTokens), 1);
  return (
    <DataTable
      caption={`By ${heading.toLowerCase()}`}
      isCaptionHidden={false}
      rows={shares}
      toId={({ name, id = name }) => id}
      columns={[[heading, (share) => <ShareName share={share} max={max} />], ...totals]}
      numbers={numbers}
    />
  );
}

function ShareName({ share, max }: Readonly<{ share: UsageShare; max: number }>) {
  return (
    <>
      {share.href === undefined ? share.name : <a href={share.href}>{share.name}</a>}
      <ShareBar share={countTokens(share) / max} />
    </>
  );
}

/** With their speed. */
export function ModelTable({ models }: Readonly<{ models: readonly ModelUsage[] }>) {
  const max = Math.max(...models.map(countTokens), 1);
  const isUnpriced = models.some(({ unpriced }) => unpriced > 0);
  const unpriced = [
    'Cost unknown',
    ({ unpriced }: ModelUsage) => (unpriced === 0 ? '–' : formatCount(unpriced)),
  ] as const;
  return (
    <DataTable
      caption="By model"
      isCaptionHidden={false}
      rows={models}
      toId={({ model }) => model}
      columns={[
        ['Model', (model) => <ShareName share={model} max={max} />],
        ...totals,
        ...(isUnpriced ? [unpriced] : []),
        [
          'First token',
          ({ firstTokenMs }) => (firstTokenMs === null ? '–' : toDurationText(firstTokenMs)),
        ],
        [
          'Tokens a second',
          ({ tokensPerSecond }) => (tokensPerSecond === null ? '–' : tokensPerSecond.toFixed(0)),
        ],
      ]}
      numbers={numbers}
      className="usage-table"
    />
  );
}

/** What coding agents have used, of those that say which session a request is part of. */
export function SessionTable({ sessions }: Readonly<{ sessions: readonly SessionUsage[] }>) {
  return (
    <DataTable
      caption="By coding session, in the last 24 hours"
      isCaptionHidden={false}
      rows={sessions}
      toId={({ session }) => session}
      columns={[
        [
          'Session',
          ({ session }) => (
            <a href={`/account/requests?${new URLSearchParams({ session })}`}>{session}</a>
          ),
        ],
        ['Key', ({ keyName }) => keyName],
        ['Last request', ({ lastAt }) => <Moment timeMs={lastAt} />],
        ...totals,
      ]}
      numbers={numbers}
      className="usage-table"
    />
  );
}

/** The chart as a table, the newest first. */
export function PeriodTable({ periods }: Readonly<{ periods: readonly UsagePeriod[] }>) {
  return (
    <DataTable
      caption="Usage over time"
      rows={periods.toReversed()}
      toId={({ period }) => period}
      columns={[
        ['Time (UTC)', ({ period }) => toPeriodText(period)],
        ['Input tokens', ({ tokensIn }) => formatCount(tokensIn)],
        ['Cached input', (period) => formatCachedShare(period) ?? '–'],
        ['Output tokens', ({ tokensOut }) => formatCount(tokensOut)],
        ...totals.slice(1),
      ]}
      numbers={numbers}
    />
  );
}
