import { expect, test } from 'vitest';
import { convertRow } from '../../../../support/airtable/convert-row.ts';

test('a place has a name, an address, a city, a country and coordinates', () => {
  const { place, inPerson, reasons } = convertRow({
    Format: 'In-Person',
    Location: 'Market Hall',
    Address: 'Oude Beestenmarkt 10',
    City: 'Ghent',
    Country: 'Belgium',
    Latitude: 51.0543,
    Longitude: '3,7174',
  });
  expect(place).toEqual({
    name: 'Market Hall',
    address: 'Oude Beestenmarkt 10',
    city: 'Ghent',
    region: null,
    country: 'BE',
    latitude: 51.0543,
    longitude: 3.7174,
  });
  expect(inPerson?.location).toBe('Market Hall');
  expect(reasons).toEqual([]);
});

test('a street before the city is the address, unless it has its own cell', () => {
  const City = '12 Lamp Street, Austin, TX 78701';
  expect(convertRow({ City }).place).toMatchObject({ address: '12 Lamp Street', city: 'Austin' });
  expect(convertRow({ City, Address: 'Hall 3' }).place?.address).toBe('Hall 3');
  expect(convertRow({ City: 'Marriott Marquis, San Francisco' }).place?.address).toBeNull();
});

test('what is between two countries or more stays the name of a city', () => {
  const { place, reasons } = convertRow({ City: 'Caiolo (SO)' });
  expect(place).toMatchObject({ city: 'Caiolo (SO)', country: null });
  expect(reasons).toEqual([]);
});

test('a place is null for a location alone, and for an online event', () => {
  expect(convertRow({ Location: 'Market Hall' }).place).toBeNull();
  expect(convertRow({ Format: 'Online', City: 'Ghent' }).place).toBeNull();
});

test.for([
  [{ Country: 'XK' }, 'XK'],
  [{ Country: 'uk' }, 'GB'],
  [{ Country: 'Atlantis' }, null],
] as const)('%j', ([cells, country]) => {
  const { place, reasons } = convertRow({ City: 'Somewhere', ...cells });
  expect(place?.country).toBe(country);
  expect(reasons).toEqual(country === null ? ['Country: unknown_country'] : []);
});

test.for([
  'Online',
  ' ON-LINE ',
  'Zoom',
  'TBA',
  'n/a',
  'n.a.',
  '—',
  '55105',
  'Online (Zoom)',
  'hybrid',
  'Online, Worldwide',
  'Worldwide (remote and online)',
  'Online, USA',
  'Europe',
  // Two, or one of two.
  'Belgium, Netherlands',
  'Georgia',
])('the city %j is none', (City) => {
  expect(convertRow({ City })).toMatchObject({ place: null, reasons: ['City: not_a_city'] });
});

test.for([
  [{ Location: 'Zoom' }, 'Zoom'],
  [{ Location: 'Online (Zoom)', Address: 'online' }, 'Online (Zoom)'],
  [{ City: 'Online, Worldwide' }, 'Online, Worldwide'],
  [{ City: 'Online, USA' }, 'Online'],
  [{ City: 'Istanbul, Turkey (Online)' }, 'Online'],
  [{ City: 'Online (Kyiv, Ukraine)' }, 'Online'],
  [{ City: '🌐 Online' }, '🌐 Online'],
  [{ Country: 'Worldwide' }, 'Worldwide'],
  [{ City: 'Ghent', Location: 'TBA' }, undefined],
  [{ Location: 'tbd' }, undefined],
] as const)(
  '%j: words for online stay, and a place that is not known yet is none',
  ([cells, location]) => {
    const { format, inPerson, place } = convertRow(cells);
    expect(format).toBeNull();
    expect(inPerson?.location).toBe(location);
    expect([place?.name ?? null, place?.address ?? null]).toEqual([null, null]);
  },
);

test.for([
  [91, 0, 'Latitude'],
  [-90.1, 3, 'Latitude'],
  [51, 181, 'Longitude'],
  [0, 0, 'Latitude'],
  ['0.0', '0', 'Latitude'],
  [-8.521147, 179.1962, 'Latitude'],
  [51, null, 'Longitude'],
  [null, 3, 'Latitude'],
  ['51° 3′', 3, 'Latitude'],
  [51, { error: '#ERROR!' }, 'Longitude'],
  [Number.NaN, 3, 'Latitude'],
] as const)('latitude %j with longitude %j gives neither', ([Latitude, Longitude, column]) => {
  const { place, reasons } = convertRow({ City: 'Ghent', Latitude, Longitude });
  expect(place).toMatchObject({ city: 'Ghent', latitude: null, longitude: null });
  expect(reasons).toEqual([`${column}: impossible_coordinates`]);
});

test.for([
  [{ City: 'New York, NY' }, 'New York', 'NY', 'US'],
  [{ City: 'Washington, D.C.' }, 'Washington', 'DC', 'US'],
  [{ City: 'Toronto, Ontario' }, 'Toronto', 'ON', 'CA'],
  [{ City: 'Vancouver, BC, Canada' }, 'Vancouver', 'BC', 'CA'],
  [{ City: 'Montréal, Québec' }, 'Montréal', 'QC', 'CA'],
  [{ City: 'Weiden, DE' }, 'Weiden', null, 'DE'],
  [{ City: 'Bellevue, WA' }, 'Bellevue', 'WA', 'US'],
  [{ City: 'Steinfeld, DE', Latitude: 49.68, Longitude: 12.16 }, 'Steinfeld', null, 'DE'],
  [{ City: 'Dover, DE', Latitude: 39.16, Longitude: -75.52 }, 'Dover', 'DE', 'US'],
  [{ City: 'Neudorf, DE', 'Time Zone': 'CET' }, 'Neudorf', null, 'DE'],
  [{ City: 'San Francisco, CA' }, 'San Francisco', 'CA', 'US'],
  [{ City: 'Toronto, CA' }, 'Toronto', null, 'CA'],
  [{ City: 'Berlin, DE' }, 'Berlin', null, 'DE'],
  [{ City: 'Berlin, Germany' }, 'Berlin', null, 'DE'],
  [{ City: 'Tbilisi, Georgia' }, 'Tbilisi', null, 'GE'],
  [{ City: 'Atlanta, Georgia' }, 'Atlanta', 'GA', 'US'],
  [{ City: 'Bozeman, MT', Country: 'U.S.A.' }, 'Bozeman', 'MT', 'US'],
  [{ City: 'Sydney, NSW' }, 'Sydney', 'NSW', 'AU'],
  [{ City: '1000 Brussels', Country: 'BE' }, 'Brussels', null, 'BE'],
  [{ City: 'London WC1E 7HX' }, 'London', null, null],
  [{ City: 'London, WC1E 7HX, UK' }, 'London', null, 'GB'],
  [{ City: 'New York, NY 10001' }, 'New York', 'NY', 'US'],
  // Parts of countries.
  [{ City: 'London, England' }, 'London', 'England', 'GB'],
  [{ City: 'Cardiff, Wales' }, 'Cardiff', 'Wales', 'GB'],
  [{ City: 'Liverpool, England, UK' }, 'Liverpool', 'England', 'GB'],
  [{ City: 'Brighton, East Sussex, England' }, 'Brighton', 'England', 'GB'],
  [{ City: 'Barcelona, Catalonia' }, 'Barcelona', 'Catalonia', 'ES'],
  [{ City: 'Ghent, Flanders' }, 'Ghent', 'Flanders', 'BE'],
  [{ City: 'Munich, Bavaria' }, 'Munich', 'Bavaria', 'DE'],
  [{ City: 'Sapporo, Hokkaido' }, 'Sapporo', 'Hokkaido', 'JP'],
  [{ City: 'Krakow, Lesser Poland, Poland' }, 'Krakow', 'Lesser Poland', 'PL'],
  [{ City: 'Miura, Kanagawa Prefecture, Japan' }, 'Miura', 'Kanagawa Prefecture', 'JP'],
  [{ City: 'Medellín, Antioquia' }, 'Medellín', 'Antioquia', 'CO'],
  // The last part that is certain decides, and what contradicts it is its region.
  [{ City: 'Chennai, TN, India' }, 'Chennai', 'TN', 'IN'],
  [{ City: 'Chennai, TN' }, 'Chennai', 'TN', 'IN'],
  [{ City: 'Chennai, TN', Country: 'India' }, 'Chennai', 'TN', 'IN'],
  [{ City: 'Monterrey, NL, Mexico' }, 'Monterrey', 'NL', 'MX'],
  [{ City: 'Nürnberg, BY, DE' }, 'Nürnberg', 'BY', 'DE'],
  [{ City: 'Zürich, ZH, CH' }, 'Zürich', 'ZH', 'CH'],
  [{ City: 'Curitiba, PR' }, 'Curitiba', 'PR', 'BR'],
  [{ City: 'Salvador, BA' }, 'Salvador', 'BA', 'BR'],
  [{ City: 'Florence, OR' }, 'Florence', 'OR', 'US'],
  [{ City: 'Camden, London, UK' }, 'London', null, 'GB'],
  // Continents are no countries.
  [{ City: 'Athens, Greece, Europe' }, 'Athens', null, 'GR'],
  [{ City: 'Cork, Ireland, EU' }, 'Cork', null, 'IE'],
  [{ City: 'Edmonton, Alberta, Canada, North America' }, 'Edmonton', 'AB', 'CA'],
  // Other signs than commas.
  [{ City: 'São Paulo - SP' }, 'São Paulo', 'SP', 'BR'],
  [{ City: 'Campo Mourão - PR' }, 'Campo Mourão', 'PR', 'BR'],
  [{ City: 'Salvador/BA' }, 'Salvador', 'BA', 'BR'],
  [{ City: 'Boston - MA' }, 'Boston', 'MA', 'US'],
  [{ City: 'Novi Sad - RS' }, 'Novi Sad', null, 'RS'],
  [{ City: 'Washington, D.C. USA' }, 'Washington', 'DC', 'US'],
  [{ City: 'Grand Hotel, San Francisco, CA' }, 'San Francisco', 'CA', 'US'],
  [{ City: 'Gooiland, Hilversum, The Netherlands' }, 'Hilversum', null, 'NL'],
  [{ City: 'Boston, MA USA' }, 'Boston', 'MA', 'US'],
  [{ City: 'Florianópolis/SC' }, 'Florianópolis', 'SC', 'BR'],
  [{ City: 'Cologne/Köln, DE' }, 'Cologne', null, 'DE'],
  [{ City: 'Vienna/Wien, Austria' }, 'Vienna', null, 'AT'],
  [{ City: 'Lyon (France)' }, 'Lyon', null, 'FR'],
  [{ City: 'San Francisco, US-CA' }, 'San Francisco', 'CA', 'US'],
  [{ City: 'Austin TX' }, 'Austin', 'TX', 'US'],
  [{ City: 'Boston MA USA' }, 'Boston', 'MA', 'US'],
  [{ City: 'Orlando, Florida USA' }, 'Orlando', 'FL', 'US'],
  [{ City: 'Portland, ME' }, 'Portland', 'ME', 'US'],
  [{ City: '🇳🇱 Amsterdam, Netherlands' }, 'Amsterdam', null, 'NL'],
  [{ City: 'Nanjing， China' }, 'Nanjing', null, 'CN'],
  [{ City: 'Marriott Marquis, San Francisco' }, 'San Francisco', null, null],
  [{ City: 'Maharashtra 411014, India' }, null, 'Maharashtra', 'IN'],
  [{ City: 'Philadelphia (PA), USA' }, 'Philadelphia', 'PA', 'US'],
  [{ City: 'Hyatt Hotel, Shatin, Hong Kong, China' }, 'Shatin', null, 'HK'],
  [{ City: 'Convention Center, Washington DC, USA' }, 'Washington', 'DC', 'US'],
  [{ City: 'Congress Centre (MECC), The Netherlands' }, 'Congress Centre', null, 'NL'],
  [{ City: 'Japan, Tokyo' }, 'Tokyo', null, 'JP'],
  [{ City: 'Logroño (In person)' }, 'Logroño', null, null],
  // Territories are countries here, whatever stands behind them.
  [{ City: 'Hong Kong, China' }, 'Hong Kong', null, 'HK'],
  [{ City: 'Hsinchu, Taiwan, China' }, 'Hsinchu', null, 'TW'],
  [{ City: 'San Juan, Puerto Rico, USA' }, 'San Juan', null, 'PR'],
  [{ City: 'Washington DC USA' }, 'Washington', 'DC', 'US'],
  [{ City: 'Kansas City Missouri' }, 'Kansas City', 'MO', 'US'],
  [{ City: 'Cape Town South Africa' }, 'Cape Town', null, 'ZA'],
  [{ City: 'Seattle WA, USA' }, 'Seattle', 'WA', 'US'],
  // Where the city is an address.
  [{ City: 'Haus „Lampe“, Lampenstr. 7, 04109 Leipzig' }, 'Leipzig', null, null],
  [{ City: 'Lampenstr. 7, 04109 Leipzig, Germany' }, 'Leipzig', null, 'DE'],
  [{ City: 'Lampgatan 12, 111 35 Stockholm' }, 'Stockholm', null, null],
  [{ City: 'Lampová 7/14, Praha 1' }, 'Praha', null, null],
  [{ City: 'Library, Room 12, Charlottesville' }, 'Charlottesville', null, null],
  [{ City: '7 Lamp Road, Lantern Hills, CA' }, 'Lantern Hills, CA', null, null],
  [{ City: 'Toronto, Ontario M5V 2T6' }, 'Toronto', 'ON', 'CA'],
  // Codes of provinces are others’ countries.
  [{ City: 'Bergamo (BG)' }, 'Bergamo', 'BG', 'IT'],
  [{ City: 'Doksy (CZ)', Country: 'Czechia' }, 'Doksy', null, 'CZ'],
  // A country or a state alone.
  [{ City: 'Romania' }, null, null, 'RO'],
  [{ City: 'India' }, null, null, 'IN'],
  [{ City: 'USA' }, null, null, 'US'],
  [{ City: 'Mexico' }, null, null, 'MX'],
  [{ City: 'California' }, null, 'CA', 'US'],
  [{ City: 'Texas, USA' }, null, 'TX', 'US'],
] as const)('%j is divided', ([cells, city, region, country]) => {
  const { place, reasons } = convertRow(cells);
  expect(place).toMatchObject({ city, region, country });
  expect(reasons).toEqual(['City: city_divided']);
});

test.for([
  // No place of this name is listed: a state or a country.
  [{ City: 'Kleinkleckersdorf, DE' }, 'Kleinkleckersdorf, DE', null, null],
  [{ City: 'Paris, TX', Country: 'France' }, 'Paris, TX', null, 'FR'],
  [{ City: 'Washington, Tyne and Wear' }, 'Washington, Tyne and Wear', null, null],
  [{ City: 'Frankfurt (Oder)', Country: 'DE' }, 'Frankfurt (Oder)', null, 'DE'],
  [{ City: 'Halle (Saale)', Country: 'DE' }, 'Halle (Saale)', null, 'DE'],
  [{ City: 'Biel/Bienne', Country: 'CH' }, 'Biel/Bienne', null, 'CH'],
  [{ City: 'Frankfurt (Oder)' }, 'Frankfurt (Oder)', null, null],
  [{ City: 'Stratford-upon-Avon' }, 'Stratford-upon-Avon', null, null],
  [{ City: 'Austin', Region: 'tx' }, 'Austin', 'TX', 'US'],
  [{ City: 'Sapporo', Region: 'Hokkaido' }, 'Sapporo', 'Hokkaido', 'JP'],
  [{ City: 'Singapore' }, 'Singapore', null, 'SG'],
  [{ City: 'Luxembourg' }, 'Luxembourg', null, 'LU'],
  [{ City: 'Monaco' }, 'Monaco', null, 'MC'],
  // Cities that countries are called like in other languages, and states in theirs.
  [{ City: 'Granada' }, 'Granada', null, null],
  [{ City: 'Washington' }, 'Washington', null, null],
  [{ City: 'New York' }, 'New York', null, null],
  // In Virginia, and too small to be listed.
  [{ City: 'Vienna, VA' }, 'Vienna, VA', null, null],
  [{ City: 'Baden Baden' }, 'Baden Baden', null, null],
  [{ City: 'Somewhere', Country: 'US-CA' }, 'Somewhere', 'CA', 'US'],
  [{ City: 'Somewhere', Country: 'DE-BY' }, 'Somewhere', null, 'DE'],
  [{ City: 'Somewhere', Country: 'Catalonia' }, 'Somewhere', 'Catalonia', 'ES'],
  [{ City: 'Somewhere', Country: 'Worldwide' }, 'Somewhere', null, null],
] as const)('%j stays as it is', ([cells, city, region, country]) => {
  const { place, reasons } = convertRow(cells);
  expect(place).toMatchObject({ city, region, country });
  expect(reasons).toEqual([]);
});

test.for([
  'Brussels / Online',
  'Online + Brussels',
  'Brussels (hybrid)',
  'Brussels and online',
  'Brussels & Zoom',
  'Brussels, Belgium (Hybrid)',
  'Online (and Brussels)',
  'Brussels / Virtual venue',
  'Brussels (In person and Online)',
  '🌐 Online and 🇧🇪 Brussels, Belgium',
  'Hybrid 🌐 Online / Brussels',
])('%j is a city, and online', (City) => {
  expect(convertRow({ City })).toMatchObject({ format: 'both', place: { city: 'Brussels' } });
  expect(convertRow({ City, Format: 'In-person' }).format).toBe('in-person');
});

test('coordinates of a linked place are those of its lookups', () => {
  const { place, reasons } = convertRow({ Latitude: [51.05, 51.05], Longitude: ['3.72'] });
  expect(place).toMatchObject({ latitude: 51.05, longitude: 3.72 });
  expect(reasons).toEqual([]);
  expect(convertRow({ City: 'Ghent', Latitude: [51, 52], Longitude: [3, 4] })).toMatchObject({
    place: { latitude: null },
    reasons: ['Latitude: impossible_coordinates'],
  });
});

test('coordinates on the edges and of ten decimals', () => {
  expect(convertRow({ Latitude: 90, Longitude: -180 }).place).toMatchObject({
    latitude: 90,
    longitude: -180,
  });
  expect(convertRow({ Latitude: 51.05434567891, Longitude: 1e-9 }).place).toMatchObject({
    latitude: 51.054346,
    longitude: 0,
  });
});

test('an organizer has a name, its website or both', () => {
  const url = 'https://www.lantern-club.example/about';
  expect(convertRow({ Organizer: 'Lantern Club' }).organizer).toEqual({
    name: 'Lantern Club',
    url: null,
  });
  expect(convertRow({ 'Organizer URL': url }).organizer).toEqual({
    name: 'lantern-club.example',
    url,
  });
  expect(convertRow({ Organizer: 'A', 'Organizer URL': 'javascript:alert(1)' })).toMatchObject({
    organizer: { name: 'A', url: null },
    reasons: ['Organizer URL: not_a_web_url'],
  });
  const long = convertRow({ Organizer: `<b>${'x'.repeat(400)}` });
  expect(long.organizer?.name).toHaveLength(300);
  expect(long.reasons).toEqual(['Organizer: text_shortened']);
});

test.for(['-', 'n/a', 'TBD', 'tba'])('a price of %s is none', (Price) => {
  expect(convertRow({ Price })).toMatchObject({ price: null, reasons: [] });
});

test('series, price, places left and age', () => {
  expect(
    convertRow({ Series: 'Glow', Price: '=1+1', 'Places Left': 12.7, Age: '13–18' }),
  ).toMatchObject({
    series: 'Glow',
    price: '=1+1',
    placesLeft: 12,
    audience: '13–18',
    reasons: [],
  });
  expect(convertRow({ Price: 12.5, 'Places Left': -3 })).toMatchObject({
    price: '12.5',
    placesLeft: 0,
    reasons: ['Places Left: number_out_of_range'],
  });
});
