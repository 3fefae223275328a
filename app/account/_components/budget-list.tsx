import type { BudgetView } from '#lib/accounts/account/budget-view.ts';
import { Moment, toCount, toDollars } from './words.tsx';

/** What is left of each budget, and when it is reset. */
export function BudgetList({ budgets }: Readonly<{ budgets: readonly BudgetView[] }>) {
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

const periods = { day: 'today', month: 'this month' } as const;
const periodsOwn = { day: 'today’s', month: 'this month’s' } as const;
const unitNames = { tokens: 'tokens', usd: 'dollars' } as const;

function Budget({ title, period, unit, numbers, state, resetsAt }: BudgetView) {
  return (
    <>
      <strong>{title}</strong>{' '}
      {numbers !== null && (
        <meter
          min={0}
          max={numbers.limit}
          value={numbers.left}
          aria-label={`${title}: ${unitNames[unit]} left ${periods[period]}`}
        />
      )}
      <span>{toSentence({ unit, numbers, state, period })}</span>{' '}
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
  period,
}: Pick<BudgetView, 'unit' | 'numbers' | 'state' | 'period'>): string {
  const when = periods[period];
  const name = unitNames[unit];
  if (state === 'used-up') return `You have used up ${periodsOwn[period]} ${name}.`;
  const warning =
    state === 'low' ? `More than 80% of ${periodsOwn[period]} ${name} are used. ` : '';
  if (numbers === null) return warning || `There are enough ${name} left ${when}.`;
  const [left, limit] = [numbers.left, numbers.limit].map((amount) =>
    unit === 'usd' ? toDollars(amount) : toCount(amount),
  );
  return `${warning}${left} of ${limit}${unit === 'usd' ? '' : ' tokens'} left ${when}.`;
}
