import type { MouseEventHandler } from 'react';
import {
  type DirectoryLayout,
  type EventsQuery,
  formatQuery,
  withoutFilters,
} from '#lib/events/query/events-query.ts';
import { Icon } from './icon.tsx';
import './chip.css';

const layouts = [
  { layout: 'posters', name: 'Posters', icon: 'posters' },
  { layout: 'list', name: 'List', icon: 'list' },
  { layout: 'month', name: 'Month', icon: 'calendar' },
] as const;

type LayoutSwitchProps = Readonly<{
  layout: DirectoryLayout | 'month';
  filters: EventsQuery;
  /** What a click does on a page that has the other layout, too. */
  toOnClick?: (layout: DirectoryLayout) => MouseEventHandler;
}>;

/** Posters, a compact list or a month, with the same filters: links, which work without JavaScript. */
export function LayoutSwitch({ layout, filters, toOnClick }: LayoutSwitchProps) {
  return (
    <nav className="layout-switch" aria-label="Layout">
      {layouts.map(({ layout: choice, name, icon }) => (
        <a
          key={choice}
          className="layout-choice"
          href={
            choice === 'month'
              ? toMonthHref(filters)
              : `/${formatQuery({ ...filters, view: choice })}`
          }
          aria-current={choice === layout ? 'true' : undefined}
          onClick={choice === 'month' ? undefined : toOnClick?.(choice)}
        >
          <Icon name={icon} />
          {name}
        </a>
      ))}
    </nav>
  );
}

// The month takes the place of days.
function toMonthHref(filters: EventsQuery): string {
  const month = filters.from?.slice(0, 'YYYY-MM'.length);
  return `/calendar${formatQuery({ ...withoutFilters(filters, 'when', 'from', 'to'), month })}`;
}
