import { expect, test } from 'vitest';
import { getPage, type HttpResponse, send } from '../../../support/clients/http-client.ts';
import { findFreePort } from '../../../support/servers/free-port.ts';
import { startSite, startSiteInProcess } from '../../../support/servers/marquee-server.ts';
import { makeRecord } from '../../../support/upstreams/upstream.ts';

/** Events in eight zones with the moments at which they begin and end; those at clock changes are in two of them. */
const evenings = [
  ['Europe/London', '2027-07-02', '19:00', '21:00', '2027-07-02T18:00Z', '2027-07-02T20:00Z'],
  ['America/New_York', '2027-07-02', '19:00', '22:00', '2027-07-02T23:00Z', '2027-07-03T02:00Z'],
  ['America/Sao_Paulo', '2027-07-02', '20:00', '23:30', '2027-07-02T23:00Z', '2027-07-03T02:30Z'],
  ['Asia/Kolkata', '2027-07-02', '18:30', '20:00', '2027-07-02T13:00Z', '2027-07-02T14:30Z'],
  ['Asia/Tokyo', '2027-07-02', '09:00', '17:00', '2027-07-02T00:00Z', '2027-07-02T08:00Z'],
  ['Australia/Adelaide', '2027-07-02', '08:00', '12:00', '2027-07-01T22:30Z', '2027-07-02T02:30Z'],
  // Clocks go back: 02:30 comes twice, and the first one counts.
  ['Europe/Brussels', '2027-10-31', '02:30', '03:30', '2027-10-31T00:30Z', '2027-10-31T02:30Z'],
  // Clocks go forward: an hour after 01:30 they show 03:30.
  ['Pacific/Auckland', '2027-09-26', '01:30', '03:30', '2027-09-25T13:30Z', '2027-09-25T14:30Z'],
] as const;

const records = evenings.map(([zone, date, start, end], index) => ({
  ...makeRecord({
    Name: `Evening in ${zone.split('/')[1]}`,
    'Start Date': date,
    'End Date': date,
    'Start Time': start,
    'End Time': end,
    'Time Zone': zone,
  }),
  id: `recEvening${index}`,
}));

async function startAt(start: string) {
  let timeMs = Date.parse(start);
  let reads = 0;
  const site = await startSiteInProcess(
    {
      records: () => {
        reads += 1;
        return records;
      },
      settings: { EVENTS_TIME_ZONE: 'UTC' },
    },
    { now: () => timeMs },
  );
  return {
    site,
    reads: () => reads,
    moveTo(time: number) {
      timeMs = time;
    },
  };
}

const markdown = { accept: 'text/markdown' };

/** What every representation says of an event’s status. */
async function readStatuses(site: Readonly<{ port: number }>, id: string) {
  const get = async (path: string, headers = {}) => (await send(site, path, { headers })).text;
  const event: { slug: string; status: string } = JSON.parse(
    await get(`/api/v1/events/${id}`),
  ).data;
  const lists = ['upcoming', 'ongoing', 'ended'];
  const inLists = async (toPath: (status: string) => string, mark: string) => {
    const texts = await Promise.all(lists.map((status) => get(toPath(status))));
    return lists.filter((_, index) => texts[index]?.includes(mark)).join();
  };
  const searches = { upcoming: 'coming+up', ongoing: 'on+now', ended: 'past' };
  const inSearches = async () => {
    const texts = await Promise.all(
      Object.values(searches).map((q) => get(`/api/v1/events?q=${q}`)),
    );
    // Others come close, and are not in the data.
    const found = texts.map((text) => JSON.stringify(JSON.parse(text).data).includes(id));
    return Object.keys(searches)
      .filter((_, index) => found[index])
      .join();
  };
  const directory = await get('/', markdown);
  const rowOf = (text: string) => text.split('\n').find((line) => line.includes(event.slug)) ?? '';
  return {
    item: event.status,
    list: await inLists((status) => `/api/v1/events?status=${status}`, id),
    calendar: await inLists((status) => `/api/v1/events/calendar.ics?status=${status}`, id),
    rss: await inLists((status) => `/api/v1/events/rss?status=${status}`, id),
    search: await inSearches(),
    jsonFeed: JSON.parse(await get('/api/v1/events/feed.json?limit=100')).items.find(
      (item: { id: string }) => item.id.includes(id),
    )._marquee.status,
    directory: /\| (upcoming|ongoing|ended)\b/.exec(rowOf(directory))?.[1],
    page: /\| Status +\| (\w+)/.exec(await get(`/events/${event.slug}.md`))?.[1],
    mcp: await readMcpStatus(site, id),
  };
}

async function readMcpStatus(site: Readonly<{ port: number }>, id: string): Promise<string> {
  const call = { name: 'get_event', arguments: { id } };
  const response = await send(site, '/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  const json = /^data: (.+)$/m.exec(response.text)?.[1] ?? response.text;
  return JSON.parse(json).result.structuredContent.data.status;
}

async function expectEverywhere(site: Readonly<{ port: number }>, id: string, status: string) {
  const statuses = await readStatuses(site, id);
  const names = Object.keys(statuses);
  expect(statuses).toEqual(Object.fromEntries(names.map((name) => [name, status])));
}

const secondMs = 1_000;

test.for(evenings.map((evening, index) => [evening, index] as const))(
  'in all representations %s begins and ends at its moments, and nothing is read for that',
  async ([[, , , , begin, end], index]) => {
    const id = `recEvening${index}`;
    const { site, reads, moveTo } = await startAt(begin);
    await using _ = site;
    for (const [moment, before, after] of [
      [begin, 'upcoming', 'ongoing'],
      [end, 'ongoing', 'ended'],
    ] as const) {
      moveTo(Date.parse(moment) - secondMs);
      await expectEverywhere(site, id, before);
      const readsBefore = reads();
      moveTo(Date.parse(moment));
      await expectEverywhere(site, id, after);
      expect(reads()).toBe(readsBefore);
    }
  },
);

test('no cache keeps a response longer than until the next event begins or ends', async () => {
  const begin = Date.parse('2027-07-02T18:00Z');
  const { site, moveTo } = await startAt('2027-07-02T17:58Z');
  await using _ = site;
  const paths = [
    '/api/v1/events',
    '/api/v1/events?status=upcoming',
    '/api/v1/events/recEvening0',
    '/api/v1/events/calendar.ics',
    '/events/evening-in-london.md',
    '/index.md',
    '/embed',
    '/llms.txt',
  ];
  const maxAge = ({ header }: HttpResponse) =>
    Number(/max-age=(\d+)/.exec(header('cache-control'))?.[1] ?? 0);
  const read = () => Promise.all(paths.map((path) => send(site, path)));
  for (const leftMs of [120_000, 60_000, 7_000, 1_500, 400]) {
    moveTo(begin - leftMs);
    for (const response of [...(await read()), ...(await read())]) {
      expect(response.status).toBe(200);
      // A cache may keep it for a second longer.
      const keptMs = maxAge(response) === 0 ? 0 : (maxAge(response) + 1) * secondMs;
      expect(keptMs).toBeLessThanOrEqual(leftMs);
      if (leftMs > 5_000) expect(keptMs).toBeGreaterThan(leftMs - 2 * secondMs);
    }
  }
  const before = await read();
  moveTo(begin);
  for (const [index, path] of paths.entries()) {
    const headers = { 'if-none-match': before[index]?.header('etag') ?? '' };
    const after = await send(site, path, { headers });
    // Calendars say nothing of the status.
    if (!path.endsWith('.ics')) expect([path, after.status]).toEqual([path, 200]);
    expect(maxAge(after)).toBeGreaterThan(0);
  }
});

test('pages follow the clock: an event is coming up, on now and past, and never two of these', async () => {
  const clockPort = await findFreePort();
  const clock = new URL('../../../support/shifted-clock.ts', import.meta.url);
  await using site = await startSite({
    records: () => records,
    settings: {
      EVENTS_TIME_ZONE: 'UTC',
      NODE_OPTIONS: `--import=${clock}`,
      CLOCK_START: '2027-07-02T17:30:00Z',
      CLOCK_PORT: String(clockPort),
    },
  });
  const words = /(?<=class="ticket-status">)[^<]+|(?<=class="poster-when"[^>]*>(?:<strong>)?)Past/g;
  for (const [time, status, section] of [
    ['2027-07-02T17:59:30Z', 'Coming up', 'comingUp'],
    ['2027-07-02T18:00:00Z', 'On now', 'onNow'],
    ['2027-07-02T19:59:30Z', 'On now', 'onNow'],
    ['2027-07-02T20:00:00Z', 'Past', 'past'],
  ] as const) {
    await send({ port: clockPort }, '/', { method: 'POST', body: time });
    const page = await getPage(site, '/events/evening-in-london');
    expect([time, ...(page.text.match(words) ?? [])]).toEqual([time, status]);
    expect(await findSection(site, 'evening-in-london')).toBe(section);
  }
});

/** The section of the directory that links to an event. */
async function findSection(site: Readonly<{ port: number }>, slug: string) {
  const { text } = await getPage(site, '/');
  const before = text.slice(0, text.indexOf(`href="/events/${slug}"`));
  return before.match(/(?<=<h2 id=")\w+/g)?.at(-1);
}
