import {
  countTokens,
  formatCachedShare,
  type UsageShare,
  type UsageView,
} from '#lib/accounts/account/account-view.ts';
import type { BudgetView } from '#lib/accounts/account/budget-view.ts';
import { Fact } from '../../_components/fact.tsx';
import { DataTable, ShareBar } from './data-table.tsx';
import { UsageChart } from './usage-chart.tsx';
import { Moment, toCount, toDayText, toDollars } from './words.tsx';

type UsageTotals = UsageView['total'];

type UsageSectionProps = Readonly<{ usage: UsageView; budgets: readonly BudgetView[] }>;

/** Tokens and dollars of 30 days: a chart, and the same as tables. */
export function UsageSection({ usage, budgets }: UsageSectionProps) {
  const { days, today, total, models, keys, sessions } = usage;
  return (
    <section className="section" aria-labelledby="usage">
      <h2 id="usage">Usage</h2>
      <dl className="usage-sums">
        <Fact term="Tokens today">{toCount(countTokens(today))}</Fact>
        <Fact term="Tokens in 30 days">{toCount(countTokens(total))}</Fact>
        <CachedShare total={total} />
        <Fact term="Requests in 30 days">{toCount(total.requests)}</Fact>
        <Fact term="Cost in 30 days">{toDollars(total.costUsd)}</Fact>
      </dl>
      <BudgetList budgets={budgets} />
      <p className="quiet">
        Days, weeks and months are in UTC. Costs cover requests whose price is known.
      </p>
      {total.requests === 0 ? (
        <p className="notice">
          Nothing yet. Your first request shows up here a second after its reply.
        </p>
      ) : (
        <>
          <UsageChart days={days} />
          <div className="usage-shares">
            <Shares heading="Model" shares={models} />
            <Shares heading="Key" shares={keys} />
          </div>
          {sessions.length > 0 && <SessionTable sessions={sessions} />}
          <details>
            <summary>Day by day</summary>
            <DayTable {...usage} />
          </details>
        </>
      )}
      <p className="buttons">
        <a className="button-quiet" href="/account/usage.csv" download>
          Download CSV
        </a>
        <a className="button-quiet" href="/account/usage.json" download>
          Download JSON
        </a>
      </p>
    </section>
  );
}

/** Cached input costs less. */
export function CachedShare({ total }: Pick<UsageView, 'total'>) {
  const share = formatCachedShare(total);
  return share === null ? null : <Fact term="Cached input">{share}</Fact>;
}

const totals = [
  ['Tokens', (totals: UsageTotals) => toCount(countTokens(totals))],
  ['Requests', ({ requests }: UsageTotals) => toCount(requests)],
  ['Cost', ({ costUsd }: UsageTotals) => toDollars(costUsd)],
] as const;

const numbers = ['Tokens', 'Input tokens', 'Cached input', 'Output tokens', 'Requests', 'Cost'];

/** What coding agents have used, of those that say which session a request is part of. */
function SessionTable({ sessions }: Pick<UsageView, 'sessions'>) {
  return (
    <DataTable
      caption="By coding session, in the last 24 hours"
      isCaptionHidden={false}
      rows={sessions}
      toId={({ session }) => session}
      columns={[
        ['Session', ({ session }) => session],
        ['Key', ({ keyName }) => keyName],
        ['Last request', ({ lastAt }) => <Moment timeMs={lastAt} />],
        ...totals,
      ]}
    />
  );
}

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
      columns={[
        [
          heading,
          (share) => (
            <>
              {share.href === undefined ? share.name : <a href={share.href}>{share.name}</a>}
              <ShareBar share={countTokens(share) / max} />
            </>
          ),
        ],
        ...totals,
      ]}
      numbers={numbers}
    />
  );
}

export function DayTable({ days }: Pick<UsageView, 'days'>) {
  return (
    <DataTable
      caption="Usage by day"
      rows={days.toReversed()}
      toId={({ day }) => day}
      columns={[
        ['Day', ({ day }) => toDayText(day)],
        ['Input tokens', ({ tokensIn }) => toCount(tokensIn)],
        ['Cached input', (day) => formatCachedShare(day) ?? '–'],
        ['Output tokens', ({ tokensOut }) => toCount(tokensOut)],
        ...totals.slice(1),
      ]}
      numbers={numbers}
    />
  );
}

/** What is left of each budget, and when it is reset. */
function BudgetList({ budgets }: Readonly<{ budgets: readonly BudgetView[] }>) {
  if (budgets.length === 0) return null;
  return (
    <ul className="budget-list" aria-label="Budgets">
      {budgets.map((budget) => (
        <li key={`${budget.title} ${budget.period} ${budget.unit}`} data-state={budget.state}>
          <Budget {...budget} />
        </li>
      ))}
    </ul>
  );
}

const unitNames = { tokens: 'tokens', usd: 'dollars' } as const;

function Budget({ title, when, ofWhen, unit, numbers, state, resetsAt }: BudgetView) {
  return (
    <>
      <strong>{title}</strong>{' '}
      {numbers !== null && (
        <meter
          min={0}
          max={numbers.limit}
          value={numbers.left}
          aria-label={`${title}: ${unitNames[unit]} left ${when}`}
        />
      )}
      <span>{toSentence({ unit, numbers, state, when, ofWhen })}</span>{' '}
      <span className="quiet">
        Resets <Moment timeMs={resetsAt} />.
      </span>
    </>
  );
}

function toSentence({
  unit,
  numbers,
  state,
  when,
  ofWhen,
}: Pick<BudgetView, 'unit' | 'numbers' | 'state' | 'when' | 'ofWhen'>): string {
  const name = unitNames[unit];
  if (state === 'used-up') return `You have used up ${ofWhen} ${name}.`;
  const warning = state === 'low' ? `More than 80% of ${ofWhen} ${name} are used. ` : '';
  if (numbers === null) return warning || `There are enough ${name} left ${when}.`;
  const [left, limit] = [numbers.left, numbers.limit].map((amount) =>
    unit === 'usd' ? toDollars(amount) : toCount(amount),
  );
  return `${warning}${left} of ${limit}${unit === 'usd' ? '' : ' tokens'} left ${when}.`;
}
