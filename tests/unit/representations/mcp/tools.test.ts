import { expect, test } from 'vitest';
import { z } from 'zod';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { selectEvents } from '#lib/events/search/select-events.ts';
import { toEventListJson } from '#lib/events/view/events-json.ts';
import { HttpError } from '#lib/http/errors/errors.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import { toEventPageMarkdown } from '#lib/representations/markdown/pages/event.ts';
import { tools } from '#lib/representations/mcp/tools.ts';
import { makePlace } from '../../../support/factories/event-factory.ts';
import { config, makeLoader, makeMcpSnapshot } from '../../../support/factories/mcp-events.ts';
import { makeChange } from '../../../support/factories/webhook-factory.ts';
import { testSite as site } from '../../../support/test-site.ts';

type Snapshot = Awaited<ReturnType<typeof makeMcpSnapshot>>;

async function call(name: string, input: object, snapshot?: Snapshot) {
  const tool = tools.find((tool) => tool.name === name);
  if (tool === undefined) throw new Error(`No tool ${name}.`);
  const events = makeLoader(snapshot ?? (await makeMcpSnapshot()));
  return tool.outputSchema.parse(
    await tool.run(tool.inputSchema.parse(input), { site, events, config }),
  );
}

/** The snapshot with other values of Robot Sumo. */
async function changeSumo(fields: Partial<MarqueeEvent>): Promise<Snapshot> {
  const snapshot = await makeMcpSnapshot();
  const events = snapshot.events.map((event) =>
    event.slug === 'robot-sumo' ? { ...event, ...fields } : event,
  );
  return { ...snapshot, events };
}

const titlesOf = async (query: string) =>
  z
    .object({ results: z.array(z.object({ title: z.string() })) })
    .parse(await call('search', { query }))
    .results.map(({ title }) => title);

test.for([
  'https://events.example/events/robot-sumo',
  'https://events.example/events/robot-sumo/',
  'https://events.example/events/robot-sumo.md',
  'https://events.example/events/robot-sumo?utm_source=chat#places',
])('the URL of a page leads to its event: %s', async (id) => {
  expect(await call('get_event', { id })).toMatchObject({ data: { slug: 'robot-sumo' } });
  expect(await call('fetch', { id })).toMatchObject({ title: 'Robot Sumo' });
});

test.for(['https://elsewhere.example/events/robot-sumo', 'https://events.example/in/ghent'])(
  'no other URL does: %s',
  async (id) => {
    await expect(call('get_event', { id })).rejects.toThrow('No event has this id or slug.');
  },
);

test('list_events returns the events of the API’s list, without their styling', async () => {
  const snapshot = await makeMcpSnapshot();
  const events = selectEvents(snapshot, { projectType: ['Electronics', 'CAD'], limit: 2 });
  const json = JSON.parse(String(await toEventListJson(events, snapshot, createTimeSlices())));
  const { data, meta } = await call('list_events', {
    projectType: ['CAD', 'Electronics'],
    limit: 2,
  });
  const styling = ['background', 'theme', 'pictures', 'logoUrl'];
  const plain = json.data.map((event: object) =>
    Object.fromEntries(Object.entries(event).filter(([name]) => !styling.includes(name))),
  );
  expect(data).toEqual(plain);
  expect(meta).toEqual({
    ...json.meta,
    total: 4,
    today: '2026-11-22',
    timeZone: 'Europe/Brussels',
  });
});

test('fetch returns the Markdown page, with what to cite', async () => {
  const snapshot = await makeMcpSnapshot();
  const event = snapshot.events.find(({ slug }) => slug === 'robot-sumo');
  if (event === undefined) throw new Error('No such event.');
  expect(await call('fetch', { id: event.id })).toEqual({
    id: event.id,
    title: 'Robot Sumo',
    text: toEventPageMarkdown(event, { site, snapshot }),
    url: 'https://events.example/events/robot-sumo',
    metadata: {
      status: 'ongoing',
      startDate: '2026-11-02',
      endDate: '2027-01-01',
      format: 'both',
      place: 'Ghent',
    },
  });
});

test('search puts current and upcoming events first, and falls back to most of the words', async () => {
  expect(await titlesOf('robot')).toEqual(['Robot Sumo', 'Soapbox Derby for Robots']);
  expect(await titlesOf('hackathon lisbon')).toEqual(['Tomorrow’s Machines']);
  const [best] = await titlesOf('is there a robots hackathon in zürich');
  expect(best).toBe('Night Train Hackathon');
  expect(await titlesOf('xylophone')).toEqual([]);
});

test('search says when an event is, to the minute where that is known', async () => {
  const startsAt = '2026-11-02T19:00:00+01:00';
  const { results } = await call('search', { query: 'robot' }, await changeSumo({ startsAt }));
  expect(results).toMatchObject([
    { startDate: '2026-11-02', endDate: '2027-01-01', startsAt, endsAt: null },
    { startDate: '2026-12-01', startsAt: null, endsAt: null },
  ]);
});

test('search says what it understood, which words no event has, and what is only a part of the query', async () => {
  const exact = await call('search', { query: 'online game jams' });
  expect(exact).toMatchObject({
    understood: ['Online', 'Games'],
    ignored: [],
    meta: { today: '2026-11-22', timeZone: 'Europe/Brussels' },
  });
  expect(
    z
      .array(z.looseObject({ isPartial: z.literal(false) }))
      .min(1)
      .parse(exact.results),
  ).toBeDefined();
  const partial = await call('search', { query: 'robots xylophone' });
  expect(partial).toMatchObject({
    results: [{ isPartial: true }, { isPartial: true }],
    ignored: ['xylophone'],
    meta: { total: 0 },
  });
});

test('an answer about one event carries what is asked: state, address, map and places left', async () => {
  const place = makePlace({
    address: 'Oude Beestenmarkt 10',
    city: 'Ghent',
    country: 'BE',
    latitude: 51.0543,
    longitude: 3.7174,
  });
  const snapshot = await changeSumo({ state: 'cancelled', placesLeft: 24, place });
  for (const query of ['is robot sumo cancelled?', 'how do I get to Robot Sumo', 'robot summo']) {
    expect(await call('search', { query }, snapshot), query).toMatchObject({
      without: null,
      results: [
        {
          title: 'Robot Sumo',
          isPartial: false,
          state: 'cancelled',
          placesLeft: 24,
          address: 'Oude Beestenmarkt 10, Ghent, Belgium',
          mapUrl: 'https://www.openstreetmap.org/search?query=51.0543%2C3.7174',
        },
      ],
      meta: { total: 1 },
    });
  }
});

test('what no event meets is said first, with what comes closest without one condition', async () => {
  const searched = await call('search', { query: 'Roboter kostenlos in München' });
  expect(Object.keys(searched)[0]).toBe('without');
  const partial = await call('search', { query: 'events in Paris' });
  expect(partial).toMatchObject({
    without: 'Paris',
    understood: ['Paris'],
    ignored: [],
    meta: { total: 0 },
  });
  expect(partial).toHaveProperty('results.0', expect.objectContaining({ title: 'Robot Sumo' }));
  expect(partial).toHaveProperty('results.0.isPartial', true);
  // From Paris to Ghent.
  expect(partial).toHaveProperty('results.0.distanceKm', expect.closeTo(263, -1));
  const listed = await call('list_events', {
    format: 'in-person',
    from: '2030-01-01',
    projectType: 'CAD',
  });
  expect(listed).toMatchObject({
    without: 'From 1 Jan 2030',
    data: [],
    closest: [{ name: 'Robot Sumo' }],
    meta: { total: 0 },
  });
});

test('a city where nothing is on has the nearest events, and how far they are', async () => {
  const listed = await call('list_events', { city: 'Paris' });
  expect(listed).toMatchObject({ without: 'Paris', data: [] });
  expect(listed).toHaveProperty('closest.0.name', 'Robot Sumo');
  expect(listed).toHaveProperty('closest.0.distanceKm', expect.closeTo(263, -1));
});

test('a name with a few letters wrong is found, and said as it is spelled', async () => {
  expect(await call('search', { query: 'is overnite at the obervatory full?' })).toMatchObject({
    results: [{ title: 'Overnight at the Observatory', isPartial: false }],
    didYouMean: 'is Overnight at the Observatory full',
    ignored: [],
  });
});

test('words that no event has are repeated as they were typed', async () => {
  expect(await call('search', { query: 'Xylöphon イベント Ghent' })).toMatchObject({
    ignored: ['Xylöphon'],
    without: 'Xylöphon',
  });
});

test('full events never stand before open ones', async () => {
  const full = await changeSumo({ placesLeft: 0 });
  const { results } = await call('search', { query: 'robot' }, full);
  expect(results).toMatchObject([{ placesLeft: null }, { title: 'Robot Sumo', placesLeft: 0 }]);
  const listed = z.object({ data: z.array(z.object({ name: z.string() })) });
  const list = async (input: object) =>
    listed.parse(await call('list_events', input, full)).data.map(({ name }) => name);
  const ahead = { status: ['ongoing', 'upcoming'] };
  expect((await list(ahead)).at(-1)).toBe('Robot Sumo');
  // Who asks for an order gets it.
  expect((await list({ ...ahead, order: 'asc' })).at(-1)).not.toBe('Robot Sumo');
});

test('list_changes returns what has changed, in words', async () => {
  const snapshot = await makeMcpSnapshot();
  const [first, second] = snapshot.events;
  if (first === undefined || second === undefined) throw new Error('No events.');
  const { id, slug, name } = first;
  const added = { id, slug, name, startDate: '2026-12-01', endDate: '2026-12-02' };
  const gone = { id: 'recGone', slug: second.slug, name: 'Gone' };
  const recent = [
    { day: '2026-11-21', change: makeChange(null, added).change },
    { day: '2026-11-02', change: makeChange(gone, null).change },
  ];
  const changed = { ...snapshot, history: { ...snapshot.history, recent } };
  const run = (input: object) => call('list_changes', input, changed);
  expect(await run({})).toMatchObject({
    data: [
      {
        type: 'event.added',
        change: 'Announced: 1–2 Dec 2026',
        url: `https://events.example/events/${first.slug}`,
      },
      { type: 'event.removed', title: 'Gone', change: 'Removed from the list', url: null },
    ],
    meta: { total: 2, today: '2026-11-22' },
  });
  expect(await run({ since: '2026-11-20' })).toMatchObject({ meta: { total: 1 } });
  expect(await run({ type: ['event.removed'] })).toMatchObject({ data: [{ title: 'Gone' }] });
  await expect(run({ since: 'monday' })).rejects.toMatchObject({
    hint: expect.stringContaining('2026-11-23'),
  });
  await expect(run({ since: 'last week' })).rejects.toThrow('`since` must be a date');
});

test('list_events returns 20 events without a limit, and says how many there are', async () => {
  const { meta } = await call('list_events', {});
  expect(meta).toMatchObject({ count: 10, total: 10 });
});

test.each([
  ['search', { query: ' ' }, '1 character'],
  ['search', {}, 'string'],
  ['fetch', {}, 'string'],
  ['list_events', { limit: 101 }, '<=100'],
])('%s rejects %j and names the reason', async (name, input, reason) => {
  await expect(call(name, input)).rejects.toThrow(reason);
});

test('an unknown id is a 404 with the nearest slug', async () => {
  for (const name of ['fetch', 'get_event']) {
    const error = await call(name, { id: 'robot-sum' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ code: 'not_found', hint: expect.stringContaining('robot-sumo') });
  }
});
