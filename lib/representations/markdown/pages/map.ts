import { toPositionInWords } from '#lib/events/model/position.ts';
import { type CityMark, describeCityCounts } from '#lib/events/view/city-marks.ts';
import { toGroupName, toGroupPath } from '#lib/events/view/named-groups.ts';
import { type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { continents, type MapArea, toAreaName, toMapPath } from '../../map/areas.ts';
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
  /** Null for an area that does not exist: the world is shown instead. */
  area: MapArea | null;
}>;

/** `/map` as a Markdown page: a table of cities. @param cities of the area. */
export function toMapMarkdown(
  cities: readonly CityMark[],
  { site, area }: MapMarkdownOptions,
): string {
  const shown = area ?? { kind: 'world' };
  const areas = continents.map((id) => toAreaLink(id, site));
  const cityRows = cities.slice(0, pageRowsMax).map((city) => toRow(city, site));
  const toTree = (rows: number) =>
    root(
      heading(1, `Events on the map of ${toAreaName(shown)}`),
      toLinksLine(site, [
        link(toPageUrl(site, toMapPath(shown)), 'Page'),
        link(toPageUrl(site, toMapPath(shown, '.md')), 'Markdown'),
      ]),
      ...(area === null ? [quote('There is no such area, so here is the world.')] : []),
      paragraph('Areas: ', ...joinPhrases(areas, ', '), '.'),
      paragraph(
        `${formatCount(cities.length)} ${cities.length === 1 ? 'city has' : 'cities have'} events.`,
      ),
      ...(rows === 0 ? [] : [table(columns, cityRows.slice(0, rows))]),
    );
  return writeFittingMarkdown({ toTree, sizeMax: cityRows.length });
}

const columns = ['City', 'Events', 'Position'];

function toRow({ group, counts, position }: CityMark, site: Site): Phrase[] {
  return [
    link(`${toPageUrl(site, toGroupPath(group))}.md`, toGroupName(group)),
    describeCityCounts(counts),
    position === null ? 'unknown' : toPositionInWords(position),
  ];
}

function toAreaLink(id: (typeof continents)[number], site: Site): Phrase {
  const area = { kind: 'continent', id } as const;
  return link(toPageUrl(site, toMapPath(area, '.md')), toAreaName(area));
}
