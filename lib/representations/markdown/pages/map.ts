import { toPositionInWords } from '#lib/events/model/position.ts';
import { type CityMark, describeCityCounts } from '#lib/events/view/city-marks.ts';
import { toTitleWithState } from '#lib/events/view/event-facts.ts';
import { toGroupName, toGroupPath } from '#lib/events/view/named-groups.ts';
import { type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import { shortenText } from '#lib/events/words/clean-text.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { toWhen } from '#lib/events/words/when.ts';
import { continents, type MapView, toAreaName, toMapPath } from '../../map/areas.ts';
import { toLinksLine } from '../alternate-links.ts';
import {
  heading,
  joinPhrases,
  link,
  type Phrase,
  paragraph,
  quote,
  root,
  table,
} from '../nodes.ts';
import { pageRowsMax, writeFittingMarkdown } from '../write-markdown.ts';

type MapMarkdownOptions = Readonly<{
  site: Site;
  view: MapView;
  today: string;
  /** Whether the URL names an area that does not exist: the world is shown instead. */
  isUnknown: boolean;
}>;

/** `/map` as a Markdown page: a table of cities. @param cities of the area. */
export function toMapMarkdown(
  cities: readonly CityMark[],
  { site, view, today, isUnknown }: MapMarkdownOptions,
): string {
  const { area, hasPast } = view;
  const areas = continents.map((id) =>
    toAreaLink({ area: { kind: 'continent', id }, hasPast }, site),
  );
  const other = toPageUrl(site, toMapPath({ area, hasPast: !hasPast }, '.md'));
  const cityRows = cities.slice(0, pageRowsMax).map((city) => toRow(city, { site, today }));
  const toTree = (rows: number) =>
    root(
      heading(1, `Events on the map of ${toAreaName(area)}`),
      toLinksLine(site, [
        link(toPageUrl(site, toMapPath(view)), 'Page'),
        link(toPageUrl(site, toMapPath(view, '.md')), 'Markdown'),
      ]),
      ...(isUnknown ? [quote('There is no such area, so here is the world.')] : []),
      paragraph('Areas: ', ...joinPhrases(areas, ', '), '.'),
      paragraph(
        `${formatCountOf(cities.length, 'city has', 'cities have')} `,
        hasPast ? 'events, past ones among them. ' : 'events on now or coming up. ',
        link(other, hasPast ? 'Without past events' : 'With past events'),
        '.',
      ),
      ...(rows === 0 ? [] : [table(columns, cityRows.slice(0, rows))]),
    );
  return writeFittingMarkdown({ toTree, sizeMax: cityRows.length });
}

const columns = ['City', 'Events', 'Next', 'Position'];

const nameLengthMax = 80;

type RowOptions = Readonly<{ site: Site; today: string }>;

function toRow(
  { group, counts, ahead: [next], position }: CityMark,
  { site, today }: RowOptions,
): Phrase[] {
  return [
    link(`${toPageUrl(site, toGroupPath(group))}.md`, toGroupName(group)),
    describeCityCounts(counts),
    next === undefined
      ? ''
      : `${shortenText(toTitleWithState(next), nameLengthMax)}, ${toWhen(next, today).words}`,
    position === null ? 'unknown' : toPositionInWords(position),
  ];
}

function toAreaLink(view: MapView, site: Site): Phrase {
  return link(toPageUrl(site, toMapPath(view, '.md')), toAreaName(view.area));
}
