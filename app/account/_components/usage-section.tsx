import type { UsageShare, UsageView } from '#lib/members/account/account-view.ts';
import type { BudgetView } from '#lib/members/account/budget-view.ts';
import { ScrolledTable } from '../../_components/scrolled.tsx';
import { BudgetList } from './budget-list.tsx';
import { UsageChart } from './usage-chart.tsx';
import { toCount, toDayText, toDollars } from './words.tsx';

type UsageSectionProps = Readonly<{ usage: UsageView; budgets: readonly BudgetView[] }>;

/** Tokens and dollars of 30 days: a chart, and the same as tables. */
export function UsageSection({ usage, budgets }: UsageSectionProps) {
  const { days, today, total, models, keys } = usage;
  return (
    <section className="account-section" aria-labelledby="usage">
      <h2 id="usage">Usage</h2>
      <dl className="usage-sums">
        <Sum title="Tokens today" value={toCount(today.tokensIn + today.tokensOut)} />
        <Sum title="Tokens in 30 days" value={toCount(total.tokensIn + total.tokensOut)} />
        <Sum title="Requests in 30 days" value={toCount(total.requests)} />
        <Sum title="Cost in 30 days" value={toDollars(total.costUsd)} />
      </dl>
      <BudgetList budgets={budgets} />
      <p className="quiet">
        Days and months are those of UTC. Cost counts requests whose price is known.
      </p>
      {total.requests === 0 ? (
        <p className="notice">
          Nothing yet. Your first request shows up here a second after its reply.
        </p>
      ) : (
        <>
          <UsageChart days={days} />
          <div className="usage-shares">
            <Shares title="By model" shares={models} />
            <Shares title="By key" shares={keys} />
          </div>
          <details>
            <summary>Every day as a table</summary>
            <DayTable {...usage} />
          </details>
        </>
      )}
      <p className="usage-files">
        <a className="button-quiet" href="/account/usage.csv" download>
          CSV
        </a>
        <a className="button-quiet" href="/account/usage.json" download>
          JSON
        </a>
      </p>
    </section>
  );
}

/** A figure with its title, for a `<dl className="usage-sums">`. */
export function Sum({ title, value }: Readonly<{ title: string; value: string }>) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  );
}

type SharesProps = Readonly<{ title: string; shares: readonly UsageShare[] }>;

/** Who or what has used how much, with bars. */
export function Shares({ title, shares }: SharesProps) {
  const max = Math.max(...shares.map(({ tokens }) => tokens), 1);
  return (
    <ScrolledTable className="data-table">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{title.slice('By '.length).replace(/^./, (c) => c.toUpperCase())}</th>
          <th scope="col">Tokens</th>
          <th scope="col">Requests</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {shares.map(({ name, id = name, href, tokens, requests, costUsd }) => (
          <tr key={id}>
            <th scope="row">
              {href === undefined ? name : <a href={href}>{name}</a>}
              <span className="share-bar" style={{ inlineSize: `${(100 * tokens) / max}%` }} />
            </th>
            <td>{toCount(tokens)}</td>
            <td>{toCount(requests)}</td>
            <td>{toDollars(costUsd)}</td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}

export function DayTable({ days }: Pick<UsageView, 'days'>) {
  return (
    <ScrolledTable className="data-table">
      <caption className="visually-hidden">Usage by day</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Input tokens</th>
          <th scope="col">Output tokens</th>
          <th scope="col">Requests</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ day, tokensIn, tokensOut, requests, costUsd }) => (
          <tr key={day}>
            <th scope="row">{toDayText(day)}</th>
            <td>{toCount(tokensIn)}</td>
            <td>{toCount(tokensOut)}</td>
            <td>{toCount(requests)}</td>
            <td>{toDollars(costUsd)}</td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}
