import type { EventDraft } from '#lib/events/model/schema.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { makeDrafts } from './draft-factory.ts';
import { makeSnapshot } from './snapshot-factory.ts';

type Row = readonly [
  name: string,
  start: string,
  end: string | null,
  format: 'in-person' | 'online' | 'both',
  types: EventDraft['projectTypes'],
];

/** In the order of their announcement, one a day. */
const rows: readonly Row[] = [
  ['Cartridge Jam', '2026-10-29', '2026-11-05', 'online', ['Gamedev']],
  ['Lantern Night', '2026-09-07', '2026-09-09', 'in-person', ['Electronics']],
  ['Robot Sumo', '2026-11-02', '2027-01-01', 'both', ['Electronics', 'CAD']],
  ['Review Desk', '2026-10-08', null, 'online', ['Software']],
  ['Tomorrow’s Machines', '2026-11-23', '2026-11-25', 'in-person', ['Software']],
  ['Moving Parts', '2026-11-26', '2026-11-27', 'online', ['CAD']],
  ['Soapbox Derby for Robots', '2026-12-01', '2026-12-01', 'in-person', ['Electronics']],
  ['Night Train Hackathon', '2026-12-04', '2026-12-06', 'in-person', ['Gamedev', 'Websites']],
  ['Ghost Stories', '2026-12-13', '2026-12-20', 'online', ['Gamedev']],
  ['Overnight at the Observatory', '2027-01-23', '2027-01-24', 'both', ['Software']],
];

const places: Readonly<Record<string, string>> = {
  'Lantern Night': 'Coimbra',
  'Robot Sumo': 'Ghent',
  'Tomorrow’s Machines': 'Old Tram Depot, Lisbon',
  'Soapbox Derby for Robots': 'Edinburgh',
  'Night Train Hackathon': 'Platform 4, Zürich',
  'Overnight at the Observatory': 'Sierra Norte Observatory',
};

const descriptions: Readonly<Record<string, string>> = {
  'Tomorrow’s Machines': 'A three-day hackathon for machines.',
  'Overnight at the Observatory': 'Bring a question for the telescope.',
};

export const config = { events: { timeZone: 'Europe/Brussels' } };

/** Ten events around 22 November 2026. */
export function makeMcpSnapshot(): Promise<EventsSnapshot> {
  const drafts = makeDrafts(rows.length, (index) => toOverrides(rows[index]));
  return makeSnapshot(drafts, '2026-11-22', { readAtMs: Date.UTC(2026, 10, 22, 9) });
}

function toOverrides(row: Row | undefined): Partial<EventDraft> {
  if (row === undefined) return {};
  const [name, startDate, endDate, format, projectTypes] = row;
  const location = places[name];
  return {
    name,
    startDate,
    endDate,
    format,
    description: descriptions[name] ?? null,
    projectTypes,
    inPerson: location === undefined ? null : { start: startDate, end: endDate, location },
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
    load: current,
    rowsRead: () => 0,
    refresh: current,
    peek: () => (isError ? null : result),
    followClock: () => {},
    refreshAgeMs: () => 228_000,
    status: () => ({ lastRead: null, lastFailure: null, isFailing: false }),
    freshSeconds: () => 60,
  } as EventsLoader;
}
