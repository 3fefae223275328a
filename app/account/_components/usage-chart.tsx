import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { countTokens, type UsageDay } from '#lib/accounts/account/account-view.ts';
import { toCount, toDayText } from './words.tsx';

const [width, height] = [720, 220];
const margin = { top: 12, right: 4, bottom: 24, left: 64 };
const kinds = ['tokensIn', 'tokensOut'] as const;
const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** Input and output tokens of each day as stacked bars. The tables beside it say the same. */
export function UsageChart({ days }: Readonly<{ days: readonly UsageDay[] }>) {
  const series = stack<UsageDay, (typeof kinds)[number]>().keys(kinds)([...days]);
  const max = Math.max(...days.map(countTokens), 10);
  const x = scaleBand(
    days.map(({ day }) => day),
    [margin.left, width - margin.right],
  ).padding(0.25);
  const y = scaleLinear([0, max], [height - margin.bottom, margin.top]).nice(4);
  const total = days.reduce((sum, day) => sum + countTokens(day), 0);
  return (
    <figure className="usage-chart">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby="usage-chart-title">
        <title id="usage-chart-title">
          {`Tokens by day, ${toDayText(days[0]?.day ?? '')} to ${toDayText(days.at(-1)?.day ?? '')}: ${toCount(total)} in all`}
        </title>
        {y.ticks(4).map((tick) => (
          <g key={tick} className="usage-tick">
            <line x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
            <text x={margin.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
              {compact.format(tick)}
            </text>
          </g>
        ))}
        {series.map((bars) =>
          bars.map(([from, to], index) => {
            const day = days[index]?.day ?? '';
            return (
              <rect
                key={day}
                data-kind={bars.key}
                x={x(day)}
                width={x.bandwidth()}
                y={y(to)}
                height={y(from) - y(to)}
              />
            );
          }),
        )}
        {days
          .filter((_, index) => index % 7 === days.length % 7)
          .map(({ day }) => (
            <text
              key={day}
              x={(x(day) ?? 0) + x.bandwidth() / 2}
              y={height - 6}
              textAnchor="middle"
            >
              {toDayText(day)}
            </text>
          ))}
      </svg>
      <figcaption>
        <span data-kind="tokensIn">Input tokens</span>
        <span data-kind="tokensOut">Output tokens</span>
      </figcaption>
    </figure>
  );
}
