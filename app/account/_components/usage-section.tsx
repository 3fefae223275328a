import type { BudgetView } from '#lib/accounts/account/budget-view.ts';
import type { SpendOutlook } from '#lib/accounts/account/spend-outlook.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { Moment, toDollars } from '../../_components/area/words.tsx';
import { OutlookText } from './outlook-text.tsx';

type UsageSectionProps = Readonly<{ outlook: SpendOutlook; budgets: readonly BudgetView[] }>;

/** What was spent, and what is left. */
export function UsageSection({ outlook, budgets }: UsageSectionProps) {
  return (
    <section className="section" aria-labelledby="usage">
      <h2 id="usage">Usage</h2>
      <p>
        <OutlookText outlook={outlook} />
      </p>
      <BudgetList budgets={budgets} />
      <p className="quiet">
        Days, weeks and months are in UTC. Costs cover requests whose price is known.
      </p>
      <p className="buttons">
        <a className="button-quiet" href="/account/usage">
          Usage by day and model
        </a>
        <a className="button-quiet" href="/account/requests">
          Requests
        </a>
      </p>
    </section>
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
    unit === 'usd' ? toDollars(amount) : formatCount(amount),
  );
  return `${warning}${left} of ${limit}${unit === 'usd' ? '' : ' tokens'} left ${when}.`;
}
