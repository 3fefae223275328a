import { expect, test } from 'vitest';
import { getPage, send } from '../../support/clients/http-client.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();
const sizeMax = 60_000;

test.for([
  '',
  '?area=europe',
  '?area=asia',
  '?area=north-america',
  '?area=RU',
  '?area=CA',
  '?area=BE',
])('the map%s is a page of links, and light', async (search) => {
  const page = await getPage(server, `/map${search}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain('class="map-land"');
  expect(page.header('permissions-policy')).toContain('geolocation=(self)');
  for (const encoding of ['br', 'gzip']) {
    const sent = await send(server, `/map${search}`, {
      headers: { accept: 'text/html', 'accept-encoding': encoding },
    });
    expect(sent.header('content-encoding')).toBe(encoding);
    expect(Number(sent.header('content-length'))).toBeLessThan(sizeMax);
  }
});

test('each city with events is a mark, and in the list beside it', async () => {
  const { text } = await getPage(server, '/map?area=BE');
  expect(text).toContain('href="#in-ghent"');
  expect(text).toContain('id="in-ghent"');
  expect(text.match(/href="\/in\/ghent"/g)).toHaveLength(1);
  expect(text).toContain('href="/events/robot-sumo-cardboard-league"');
  expect(text).not.toContain('href="/in/lisbon"');
  const markdown = await send(server, '/map.md?area=BE');
  expect(markdown.text).toContain('/in/ghent.md');
  expect(markdown.text).not.toContain('/in/lisbon');
});

test('a map has what is on or coming up, and past events on demand', async () => {
  const isPast = (city: string) =>
    server.events
      .filter(({ place }) => place?.city === city)
      .every(({ status }) => status === 'ended');
  const [past = ''] = server.events.flatMap(({ place }) =>
    place?.city && isPast(place.city) ? [place.city] : [],
  );
  expect(past).not.toBe('');
  const named = `<bdi>${past}</bdi>`;
  expect((await getPage(server, '/map')).text).not.toContain(named);
  expect((await getPage(server, '/map?past=true')).text).toContain(named);
  expect((await send(server, '/map.md')).text).not.toContain(`[${past}`);
  expect((await send(server, '/map.md?past=true')).text).toContain(`[${past}`);
});

test('an area that does not exist is the world, with a note', async () => {
  const page = await getPage(server, '/map?area=%3Cb%3E');
  expect(page.status).toBe(200);
  expect(page.text).toContain('We don’t know this area');
});

test('no other page may ask for the position', async () => {
  for (const path of [
    '/calendar',
    '/in/ghent',
    '/events/robot-sumo-cardboard-league',
    '/nothing',
  ]) {
    expect((await getPage(server, path)).header('permissions-policy'), path).toContain(
      'geolocation=()',
    );
  }
});

test('an event’s page has a map with links to others, and loads none of them', async () => {
  const { text } = await getPage(server, '/events/robot-sumo-cardboard-league');
  expect(text).toContain('href="geo:');
  for (const host of ['www.openstreetmap.org', 'www.google.com', 'maps.apple.com']) {
    expect(text).toContain(`href="https://${host}/`);
    expect(text).not.toContain(`src="https://${host}`);
  }
});
