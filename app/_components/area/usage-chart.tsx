import { scaleLinear } from 'd3-scale';
import type { BudgetLine } from '#lib/accounts/account/spend-outlook.ts';
import type { ChartSeries } from '#lib/accounts/account/usage-view.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { toDollars, toPeriodText } from './words.tsx';

type ChartUnit = BudgetLine['unit'];

type UsageChartProps = Readonly<{
  /** Days or hours, the oldest first. */
  periods: readonly string[];
  /** Empty: no cost is known. */
  costs: readonly ChartSeries[];
  tokens: readonly ChartSeries[];
  lines?: readonly BudgetLine[];
}>;

/** Cost and tokens of each day or hour, stacked. The tables beside it say the same. It needs no script. */
export function UsageChart({ periods, costs, tokens, lines = [] }: UsageChartProps) {
  const panels = [
    { unit: 'usd', title: 'Cost', series: costs },
    { unit: 'tokens', title: 'Tokens', series: tokens },
  ] as const;
  return (
    <figure className="usage-chart">
      {panels
        .filter(({ series }) => series.length > 0)
        .map((panel) => (
          <Panel
            key={panel.unit}
            periods={periods}
            line={lines.find(({ unit }) => unit === panel.unit) ?? null}
            {...panel}
          />
        ))}
    </figure>
  );
}

type PanelProps = Readonly<{
  unit: ChartUnit;
  title: string;
  series: readonly ChartSeries[];
  periods: readonly string[];
  line: BudgetLine | null;
}>;

const compact = new Intl.NumberFormat('en', { notation: 'compact' });
/** Of the drawing, which the page stretches. */
const height = 100;
/** A line further above the bars than this would flatten them. */
const lineMax = 3;

function Panel({ unit, title, series, periods, line }: PanelProps) {
  const sums = periods.map((_, at) =>
    series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
  const highest = Math.max(...sums);
  const isLineShown = line !== null && line.share <= highest * lineMax;
  const max = Math.max(highest, isLineShown ? line.share : 0) || 1;
  const y = scaleLinear([0, max], [height, 0]).nice(4);
  const ticks = y.ticks(4);
  const total = sums.reduce((sum, value) => sum + value, 0);
  const toText = unit === 'usd' ? toDollars : formatCount;
  const [first = '', last = ''] = [periods[0], periods.at(-1)];
  const id = `chart-${unit}`;
  return (
    <div className="usage-panel">
      <p className="usage-legend">
        <strong>{title}</strong>
        {series.map(({ name }, index) => (
          <span key={name} data-series={`${unit}-${index}`}>
            {name}
          </span>
        ))}
        {line !== null && (
          <span data-series="line">
            {`Budget of ${toText(line.limit)} ${line.per}, spread evenly`}
            {!isLineShown && ' (above this chart)'}
          </span>
        )}
      </p>
      <div className="usage-plot">
        {ticks.map((tick) => (
          <span key={tick} className="usage-tick" style={{ insetBlockStart: `${y(tick)}%` }}>
            {unit === 'usd' ? toTickText(tick, ticks[1]) : compact.format(tick)}
          </span>
        ))}
        <svg
          viewBox={`0 0 ${periods.length} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby={id}
        >
          <title id={id}>
            {`${title}, ${toPeriodText(first)} to ${toPeriodText(last)}: ${toText(total)} in all`}
          </title>
          {toBars(series, y).map(({ name, path }, index) => (
            <path key={name} data-series={`${unit}-${index}`} d={path} />
          ))}
          {isLineShown && <path data-series="line" d={`M0 ${y(line.share)}H${periods.length}`} />}
          {periods.map((period, at) => (
            <rect key={period} x={at} width={1} height={height}>
              <title>{`${toPeriodText(period)}: ${toText(sums[at] ?? 0)}`}</title>
            </rect>
          ))}
        </svg>
      </div>
      <PeriodNames periods={periods} />
    </div>
  );
}

/** How many names of periods fit below a chart. */
const namesMax = 8;

function PeriodNames({ periods }: Pick<PanelProps, 'periods'>) {
  const step = Math.ceil(periods.length / namesMax);
  const named = periods
    .map((period, at) => ({ period, share: (at + 0.5) / periods.length }))
    .filter((_, at) => at % step === Math.floor(step / 2));
  return (
    <p className="usage-periods" aria-hidden="true">
      {named.map(({ period, share }) => (
        <span key={period} style={{ insetInlineStart: `${100 * share}%` }}>
          {toPeriodText(period)}
        </span>
      ))}
    </p>
  );
}

const gap = 0.12;

/** A path for each series, on top of those before it. */
function toBars(series: readonly ChartSeries[], y: (value: number) => number) {
  const bases: number[] = [];
  return series.map(({ name, values }) => {
    const bars = values.map((value, at) => {
      const base = bases[at] ?? 0;
      bases[at] = base + value;
      if (value === 0) return '';
      const [top, bottom] = [y(base + value), y(base)].map((edge) => edge.toFixed(2));
      return `M${at + gap} ${bottom}V${top}h${1 - 2 * gap}V${bottom}z`;
    });
    return { name, path: bars.join('') };
  });
}

/** As exact as the first one above zero needs: $0.005, $0.50, $5, or $1.2K. */
function toTickText(usd: number, step = 1): string {
  if (step >= 1) return `$${compact.format(usd)}`;
  return `$${usd.toFixed(Math.max(2, Math.ceil(-Math.log10(step))))}`;
}
