import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toEventJsonLd, toItemListJsonLd } from '#lib/representations/seo/json-ld.ts';
import { makeEvening, makeEvent, makeEvents } from '../../../support/factories/event-factory.ts';
import { hostileEvent } from '../../../support/factories/hostile-text.ts';
import { testSite as site } from '../../../support/test-site.ts';

test('an event has schema.org’s properties', () => {
  expect(toEventJsonLd(makeEvent(), { site })).toEqual({
    '@context': 'https://schema.org',
    '@type': 'Event',
    '@id': 'https://events.example/events/lantern-jam',
    url: 'https://events.example/events/lantern-jam',
    name: 'Lantern Jam',
    description: 'Build a lantern that reacts to sound.',
    startDate: '2026-12-12',
    endDate: '2026-12-14',
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/MixedEventAttendanceMode',
    location: { '@type': 'VirtualLocation', url: 'https://lantern.example/' },
    subEvent: {
      '@type': 'Event',
      name: 'Lantern Jam (in person)',
      startDate: '2026-12-13',
      endDate: '2026-12-14',
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: { '@type': 'Place', name: 'Lisbon, Portugal', address: 'Lisbon, Portugal' },
    },
    image: ['https://events.example/media/og/recV7kQ2mXw4Tn9Lb.jpg'],
    offers: { '@type': 'Offer', url: 'https://lantern.example/' },
  });
});

test('an event that is at its place on all of its days has one place and no sub-event', () => {
  const inPerson = { start: '2026-12-12', end: '2026-12-14', location: 'Lisbon' };
  const data = toEventJsonLd(makeEvent({ inPerson }), { site });
  expect(data.location).toEqual([
    { '@type': 'Place', name: 'Lisbon', address: 'Lisbon' },
    { '@type': 'VirtualLocation', url: 'https://lantern.example/' },
  ]);
  expect(data).not.toHaveProperty('subEvent');
});

test.each([
  ['cancelled', 'EventCancelled', 'MixedEventAttendanceMode'],
  ['postponed', 'EventPostponed', 'MixedEventAttendanceMode'],
  ['moved-online', 'EventMovedOnline', 'OnlineEventAttendanceMode'],
] as const)('an event that is %s is %s', (state, eventStatus, mode) => {
  expect(toEventJsonLd(makeEvent({ state }), { site })).toMatchObject({
    eventStatus: `https://schema.org/${eventStatus}`,
    eventAttendanceMode: `https://schema.org/${mode}`,
  });
});

test('an in-person event that was moved online has no place', () => {
  const data = toEventJsonLd(makeEvent({ state: 'moved-online', format: 'in-person' }), { site });
  expect(data.location).toEqual({ '@type': 'VirtualLocation', url: 'https://lantern.example/' });
  expect(data).not.toHaveProperty('subEvent');
});

test('unknown values are left out: no end, no format, no place', () => {
  const event = makeEvent({ endDate: null, format: null, inPerson: null, description: null });
  const data = toEventJsonLd(event, { site });
  expect(data).not.toHaveProperty('endDate');
  expect(data).not.toHaveProperty('eventAttendanceMode');
  expect(data).not.toHaveProperty('location');
  expect(data.description).toBe('from 12 Dec 2026, open-ended');
});

test('an event whose location says that it is online has no place', () => {
  const inPerson = { start: null, end: null, location: 'Online (Zoom)' };
  const data = toEventJsonLd(makeEvent({ format: null, inPerson, place: null }), { site });
  expect(data).toMatchObject({
    eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
    location: { '@type': 'VirtualLocation', url: 'https://lantern.example/' },
  });
});

test('an online event has no place, even if its row has a location', () => {
  const { location } = toEventJsonLd(makeEvent({ format: 'online', url: null }), { site });
  expect(location).toEqual({
    '@type': 'VirtualLocation',
    url: 'https://events.example/events/lantern-jam',
  });
});

test('where no organizer is known, none is named', () => {
  expect(toEventJsonLd(makeEvent({ organizer: null }), { site })).not.toHaveProperty('organizer');
});

test.each([
  ['a price and a URL', { price: '€8' }, { price: '8', url: 'https://lantern.example/' }],
  [
    'a price alone',
    { price: '€8', url: null },
    { url: 'https://events.example/events/lantern-jam' },
  ],
  [
    'a range',
    { price: '€5–10' },
    { '@type': 'AggregateOffer', lowPrice: '5', highPrice: '10', priceCurrency: 'EUR' },
  ],
  ['cents', { price: '12,50 €' }, { price: '12.50', priceCurrency: 'EUR' }],
  ['the lowest price alone', { price: 'from €5' }, { '@type': 'AggregateOffer', lowPrice: '5' }],
  ['a price in words', { price: 'up to €20' }, { url: 'https://lantern.example/' }],
  ['a URL alone', { price: null }, { url: 'https://lantern.example/' }],
])('%s makes an offer', (_, values, offer) => {
  expect(toEventJsonLd(makeEvent(values), { site }).offers).toMatchObject(offer);
});

test('an event without a price and a URL has no offer', () => {
  const event = makeEvent({ price: null, url: null });
  expect(toEventJsonLd(event, { site })).not.toHaveProperty('offers');
  const offers = ['up to €20', 'from €5'].map(
    (price) => toEventJsonLd(makeEvent({ price }), { site }).offers,
  );
  expect(offers[0]).not.toHaveProperty('price');
  expect(offers[1]).not.toHaveProperty('highPrice');
});

// https://developers.google.com/search/docs/appearance/structured-data/event: the table knows neither performers,
// nor when tickets go on sale, nor the date that an event had before.
test('an event has all that Google requires and recommends', () => {
  const event = makeEvening();
  expect(toEventJsonLd(event, { site })).toMatchObject({
    '@type': 'Event',
    name: expect.any(String),
    startDate: '2026-11-24T18:30:00+01:00',
    location: {
      '@type': 'Place',
      name: 'Market Hall, Ghent',
      address: {
        '@type': 'PostalAddress',
        streetAddress: 'Oude Beestenmarkt 10',
        addressLocality: 'Ghent',
        addressCountry: 'BE',
      },
      geo: { '@type': 'GeoCoordinates', latitude: 51.0543, longitude: 3.7174 },
    },
    description: expect.any(String),
    endDate: '2026-11-24T21:00:00+01:00',
    eventStatus: 'https://schema.org/EventScheduled',
    image: [expect.stringMatching(/^https:/)],
    offers: {
      '@type': 'Offer',
      availability: 'https://schema.org/InStock',
      price: '8',
      priceCurrency: 'EUR',
      url: 'https://lantern.example/',
    },
    organizer: { name: 'Lantern Club', url: 'https://lantern-club.example/' },
  });
  for (const price of ['Free', '무료', 'Entrada libre', '0 €']) {
    const free = toEventJsonLd(makeEvening({ price, placesLeft: 0 }), { site });
    expect(free).toMatchObject({
      isAccessibleForFree: true,
      offers: { price: '0', availability: 'https://schema.org/SoldOut' },
    });
  }
  const online = toEventJsonLd(makeEvening({ format: 'online', place: null }), { site });
  expect(online.location).toEqual({ '@type': 'VirtualLocation', url: 'https://lantern.example/' });
});

// ASVS 1.2.2
test('it contains no signed picture URL, and no link that is not to the web', () => {
  fc.assert(
    fc.property(hostileEvent, (event) => {
      const json = JSON.stringify(toEventJsonLd(event, { site }));
      expect(json).not.toContain('signature=');
      expect(json).not.toMatch(/"url":"(?:javascript|data):/i);
    }),
  );
});

test('a list has the total, and links to the first hundred in order', () => {
  const list = toItemListJsonLd(makeEvents(250), { site });
  expect(list.numberOfItems).toBe(250);
  expect(list.itemListElement).toHaveLength(100);
  expect(list).toMatchObject({
    '@type': 'ItemList',
    itemListElement: expect.arrayContaining([
      { '@type': 'ListItem', position: 2, url: 'https://events.example/events/event-number-1' },
    ]),
  });
});
