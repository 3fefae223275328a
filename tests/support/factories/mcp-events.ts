import type { EventDraft } from '#lib/events/model/schema.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { makeDrafts } from './draft-factory.ts';
import { makeSnapshot } from './snapshot-factory.ts';

type Row = Readonly<{
  name: string;
  days: readonly [start: string, end: string | null];
  format: 'in-person' | 'online' | 'both';
  types: readonly ('Electronics' | 'Websites' | 'Software' | 'Gamedev' | 'CAD')[];
  place?: string;
  description?: string;
}>;

/** In the order of their announcement, one a day. */
const rows: readonly Row[] = [
  {
    name: 'Cartridge Jam',
    days: ['2026-10-29', '2026-11-05'],
    format: 'online',
    types: ['Gamedev'],
  },
  {
    name: 'Lantern Night',
    days: ['2026-09-07', '2026-09-09'],
    format: 'in-person',
    types: ['Electronics'],
    place: 'Coimbra',
  },
  {
    name: 'Robot Sumo',
    days: ['2026-11-02', '2027-01-01'],
    format: 'both',
    types: ['Electronics', 'CAD'],
    place: 'Ghent',
  },
  { name: 'Review Desk', days: ['2026-10-08', null], format: 'online', types: ['Software'] },
  {
    name: 'Tomorrow’s Machines',
    days: ['2026-11-23', '2026-11-25'],
    format: 'in-person',
    types: ['Software'],
    place: 'Old Tram Depot, Lisbon',
    description: 'A three-day hackathon for machines.',
  },
  { name: 'Moving Parts', days: ['2026-11-26', '2026-11-27'], format: 'online', types: ['CAD'] },
  {
    name: 'Soapbox Derby for Robots',
    days: ['2026-12-01', '2026-12-01'],
    format: 'in-person',
    types: ['Electronics'],
    place: 'Edinburgh',
  },
  {
    name: 'Night Train Hackathon',
    days: ['2026-12-04', '2026-12-06'],
    format: 'in-person',
    types: ['Gamedev', 'Websites'],
    place: 'Platform 4, Zürich',
  },
  {
    name: 'Ghost Stories',
    days: ['2026-12-13', '2026-12-20'],
    format: 'online',
    types: ['Gamedev'],
  },
  {
    name: 'Overnight at the Observatory',
    days: ['2027-01-23', '2027-01-24'],
    format: 'both',
    types: ['Software'],
    place: 'Sierra Norte Observatory',
    description: 'Bring a question for the telescope.',
  },
];

export const config = { events: { timeZone: 'Europe/Brussels' } };

/** Ten events around 22 November 2026. */
export function makeMcpSnapshot(): Promise<EventsSnapshot> {
  const drafts = makeDrafts(rows.length, (index) => toOverrides(rows[index]));
  return makeSnapshot(drafts, '2026-11-22', { readAtMs: Date.UTC(2026, 10, 22, 9) });
}

function toOverrides(row: Row | undefined): Partial<EventDraft> {
  if (row === undefined) return {};
  const { name, days, format, types, place, description = null } = row;
  const [startDate, endDate] = days;
  return {
    name,
    startDate,
    endDate,
    format,
    description,
    projectTypes: [...types],
    inPerson: place === undefined ? null : { start: startDate, end: endDate, location: place },
    requirements: null,
    slackChannel: null,
  };
}

/** A loader that always has this snapshot, or always fails with this error. */
export function makeLoader(result: EventsSnapshot | Error): EventsLoader {
  const isError = result instanceof Error;
  const current = async () => {
    if (isError) throw result;
    return result;
  };
  return {
    current,
    refresh: current,
    peek: () => (isError ? null : result),
    followClock: () => {},
    refreshAgeMs: () => 228_000,
    status: () => ({ lastRead: null, lastFailure: null, isFailing: false }),
    freshSeconds: () => 60,
  } as EventsLoader;
}
