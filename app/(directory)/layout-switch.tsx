import { type DirectoryLayout, toDirectorySearch } from '#lib/events/query/directory-search.ts';
import type { FilterTexts } from '#lib/events/query/filters.ts';
import { Icon } from '../_components/icon.tsx';
import { onPlainClick } from './plain-click.ts';

const layouts = [
  { layout: 'posters', name: 'Posters', icon: 'posters' },
  { layout: 'list', name: 'List', icon: 'list' },
] as const;

type LayoutSwitchProps = Readonly<{
  layout: DirectoryLayout;
  filters: FilterTexts;
  onChange: (layout: DirectoryLayout) => void;
}>;

/** Posters or a compact list: links, which work without JavaScript. */
export function LayoutSwitch({ layout, filters, onChange }: LayoutSwitchProps) {
  return (
    <nav className="layout-switch" aria-label="Layout">
      {layouts.map(({ layout: one, name, icon }) => (
        <a
          key={one}
          className="layout-choice"
          href={`/${toDirectorySearch({ filters, layout: one })}`}
          aria-current={one === layout ? 'true' : undefined}
          onClick={onPlainClick(() => onChange(one))}
        >
          <Icon name={icon} />
          {name}
        </a>
      ))}
    </nav>
  );
}
