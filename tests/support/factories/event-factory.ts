import { toDetails } from '#lib/events/model/field-lists.ts';
import type { MarqueeEvent, Picture } from '#lib/events/model/schema.ts';
import type { EventPlace } from '#lib/events/model/time-and-place.ts';
import { parsePrice } from '#lib/events/words/price.ts';

/** The fields that need no code of their own, all of them empty. */
export const noDetails = toDetails(() => null);

/** Creates a complete event. */
export function makeEvent(overrides: Partial<MarqueeEvent> = {}): MarqueeEvent {
  return {
    id: 'recV7kQ2mXw4Tn9Lb',
    slug: 'lantern-jam',
    name: 'Lantern Jam',
    description: 'Build a lantern that *reacts* to sound.',
    url: 'https://lantern.example/',
    status: 'upcoming',
    state: 'scheduled',
    startDate: '2026-12-12',
    endDate: '2026-12-14',
    startTime: null,
    endTime: null,
    timeZone: null,
    startsAt: null,
    endsAt: null,
    schedule: null,
    announcedAt: '2026-11-02T09:30:00.000Z',
    format: 'both',
    inPerson: { start: '2026-12-13', end: '2026-12-14', location: 'Lisbon, Portugal' },
    place: null,
    organizer: null,
    ...noDetails,
    priceRange: parsePrice(overrides.price ?? ''),
    projectTypes: ['Electronics', 'CAD'],
    slackChannel: 'lantern-jam',
    slackUrl: 'https://chat.example/lantern-jam',
    requirements: 'A soldering iron.',
    pinned: false,
    background: { type: 'image', color: '#102030' },
    theme: null,
    pictures: { logo: null, background: null },
    ...overrides,
    // As the table's rows are converted.
    ...(overrides.state === 'moved-online' && { format: 'online', inPerson: null, place: null }),
  };
}

/** Creates a place of which nothing is known but what is given. */
export function makePlace(parts: Partial<EventPlace>): EventPlace {
  return {
    name: null,
    address: null,
    city: null,
    region: null,
    country: null,
    latitude: null,
    longitude: null,
    ...parts,
  };
}

/** Creates the picture of a poster, which no process has fetched. */
export function makePosterPicture(overrides: Partial<Picture> = {}): Picture {
  const url = 'https://events.example/media/attBack';
  return { id: 'attBack', url, width: 1200, height: 900, thumbHash: null, ...overrides };
}

/** Events that differ in id, slug, name and days, spread over all statuses. */
export function makeEvents(count: number): MarqueeEvent[] {
  const statuses = ['upcoming', 'ongoing', 'ended'] as const;
  return Array.from({ length: count }, (_, index) =>
    makeEvent({
      id: `rec${String(index).padStart(14, '0')}`,
      slug: `event-number-${index}`,
      name: `Event number ${index}`,
      status: statuses[index % 3] ?? 'ended',
      endDate: index % 7 === 0 ? null : '2026-12-14',
    }),
  );
}

/** An evening in Ghent with everything that a table may say of it. */
export function makeEvening(overrides: Partial<MarqueeEvent> = {}): MarqueeEvent {
  return makeEvent({
    startDate: '2026-11-24',
    endDate: '2026-11-24',
    startTime: '18:30',
    endTime: '21:00',
    timeZone: 'Europe/Brussels',
    startsAt: '2026-11-24T18:30:00+01:00',
    endsAt: '2026-11-24T21:00:00+01:00',
    schedule: [
      { day: '2026-11-24', time: '18:30', title: 'Doors' },
      { day: '2026-11-24', time: '19:00', title: 'Talks' },
    ],
    format: 'in-person',
    inPerson: { start: '2026-11-24', end: '2026-11-24', location: 'Market Hall' },
    place: makePlace({
      name: 'Market Hall',
      address: 'Oude Beestenmarkt 10',
      city: 'Ghent',
      country: 'BE',
      latitude: 51.0543,
      longitude: 3.7174,
    }),
    organizer: { name: 'Lantern Club', url: 'https://lantern-club.example/' },
    series: 'Things that Glow',
    price: '€8',
    placesLeft: 24,
    audience: '13–18',
    ...overrides,
  });
}
