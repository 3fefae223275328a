import type { SpendOutlook } from '#lib/accounts/account/spend-outlook.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { Moment, toDollars } from '../../_components/area/words.tsx';

/** “$3.20 of $10.00 this month, at this rate $6.00.” */
export function OutlookText({ outlook }: Readonly<{ outlook: SpendOutlook }>) {
  const { unit, used, limit, expected, usedUpAt, resetsAt, when } = outlook;
  const toAmount = (amount: number) =>
    unit === 'usd' ? toDollars(amount) : `${formatCount(Math.round(amount))} tokens`;
  const spent = limit === null ? toAmount(used) : `${toAmount(used)} of ${toAmount(limit)}`;
  if (limit !== null && used >= limit) {
    return (
      <>
        <strong>{spent}</strong> {when}: your budget is used up until <Moment timeMs={resetsAt} />.
      </>
    );
  }
  if (expected === null) {
    return (
      <>
        <strong>{spent}</strong> {when}.
      </>
    );
  }
  return (
    <>
      <strong>{spent}</strong> {when}, at this rate {toAmount(expected)}
      {usedUpAt === null ? (
        '.'
      ) : (
        <>
          : your budget lasts until <Moment timeMs={usedUpAt} />.
        </>
      )}
    </>
  );
}
