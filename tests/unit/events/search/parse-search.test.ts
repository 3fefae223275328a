import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSearch, toChips } from '#lib/events/search/parse-search.ts';
import { toCityKey } from '#lib/events/words/cities.ts';
import { foldText } from '#lib/events/words/fold-text.ts';

// A Wednesday.
const today = '2026-11-25';
const cities = ['Lisbon', 'Ciudad de México', '東京', 'Online', 'New York'];
const organizers = ['Solder Society', 'Mozilla'];
const toNames = (names: readonly string[]) => new Map(names.map((name) => [foldText(name), name]));
const vocabulary = {
  cities: toNames(cities),
  citiesByKey: new Map(cities.map((city) => [toCityKey(city, null), city])),
  organizers: toNames(organizers),
  series: toNames(['Things that Glow']),
  cityPositions: new Map([[toCityKey('Lisbon', null), { latitude: 38.7, longitude: -9.1 }]]),
};
const isName = (word: string) => word === 'samstag';
const context = {
  today,
  vocabulary,
  positionsByName: new Map<string, readonly number[]>(),
  toName: () => '',
  isName,
  isKnown: () => false,
};
const parse = (q: string) => parseSearch(q, context);
const textOf = (q: string) => parse(q).text.map(({ plain }) => plain);
const labels = (q: string) => parse(q).understood.map(({ label }) => label);

test.for([
  ['Lissabon', ['Lisbon']],
  ['lisboa', ['Lisbon']],
  ['Deutschland', ['Germany']],
  ['Espagne', ['Spain']],
  ['texas', ['Texas']],
  ['Europe', ['Europe']],
  ['online in benelux', ['Online', 'Benelux']],
  ['latin america', ['Latin America']],
  ['am wochenende', ['Weekend, 28–29 Nov']],
  ['online nächstes wochenende', ['Online', 'Next weekend, 5–6 Dec']],
  ['ce soir', ['Tonight']],
  ['heute abend online', ['Tonight', 'Online']],
  ['ce week-end', ['This weekend, 28–29 Nov']],
  ['le week-end prochain', ['Next weekend, 5–6 Dec']],
  ['weekend of 12 december', ['12–13 Dec 2026']],
  ['week of 9 december', ['7–13 Dec 2026']],
  ['weekend 12-13 december', ['12–13 Dec']],
  ['evenementen in Nederland komende week', ['Netherlands', 'Next week, 30 Nov – 6 Dec']],
  ['eventi online a dicembre', ['Online', 'December']],
  ['gratis per bambini', ['Free', 'For kids']],
  ['5. Dezember', ['5 Dec']],
  ['5 décembre 2026', ['5 Dec 2026']],
  ['5 mars', ['5 Mar']],
  ['janvier', ['January']],
  ['5 grudnia', ['5 Dec']],
  ['freitag', ['Friday, Fri 27 Nov']],
  ['sábado', ['Saturday, Sat 28 Nov']],
  ['by solder society', ['By Solder Society']],
  ['Solder Society online', ['By Solder Society', 'Online']],
  ['by mozilla', ['By Mozilla']],
  ['free', ['Free']],
  ['free for kids in lisbon', ['Free', 'For kids', 'Lisbon']],
  ['events with places left', ['Places left']],
  ['today', ['Today, Wed 25 Nov']],
  ['tonight', ['Tonight']],
  ['online this evening', ['Online', 'Tonight']],
  ['yesterday', ['Yesterday, Tue 24 Nov']],
  ['tomorrow', ['Tomorrow, Thu 26 Nov']],
  ['friday', ['Friday, Fri 27 Nov']],
  ['next tuesday', ['Next tuesday, Tue 1 Dec']],
  ['next sunday', ['Next sunday, Sun 6 Dec']],
  ['this weekend', ['This weekend, 28–29 Nov']],
  ['Next Weekend', ['Next weekend, 5–6 Dec']],
  ['next 10 days', ['Next 10 days, 25 Nov – 4 Dec']],
  ['last 7 days', ['Last 7 days, 19–25 Nov']],
  ['next month', ['Next month, 1–31 Dec']],
  ['last month', ['Last month, 1–31 Oct']],
  ['this year', ['This year, 25 Nov – 31 Dec']],
  ['next year', ['Next year, 1 Jan – 31 Dec 2027']],
  ['last year', ['Last year, 1 Jan – 31 Dec 2025']],
  ['5 december', ['5 Dec']],
  ['december 5th', ['5 Dec']],
  ['dec 5', ['5 Dec']],
  ['Sat, Dec 5, 2026', ['5 Dec 2026']],
  ['5th of december 2026?', ['5 Dec 2026']],
  ['5.12.2026', ['5 Dec 2026']],
  ['2026-12-05', ['5 Dec 2026']],
  ['2026-12', ['December 2026']],
  ['jan 2027', ['January 2027']],
  ['Sept.', ['September']],
  ['2027', ['2027']],
  ['5–7 december', ['5–7 Dec']],
  ['dec 5 to 7 2026', ['5–7 Dec 2026']],
  ['between 5 and 7 dec', ['5–7 Dec']],
  ['30 dec - 2 jan', ['30 Dec – 2 Jan']],
  ['from 30 dec to 2 jan 2027', ['30 Dec 2026 – 2 Jan 2027']],
  ['dec to feb', ['December to February']],
  ['from 5 january', ['From 5 Jan 2027']],
  ['after december', ['From 1 Jan 2027']],
  ['until 5 december', ['Until 5 Dec 2026']],
  ['until 5 november 2026', ['Until 5 Nov 2026']],
  ['before december', ['Until 30 Nov 2026']],
  ['29 february', ['29 Feb']],
  ['in person', ['In person']],
  ['online december', ['Online', 'December']],
  ['game jams in Portugal', ['Games', 'Portugal']],
  ['events near NEW YORK', ['Within 50 km of New York']],
  ['near Brüssel', ['Within 50 km of Brüssel']],
  ['within 100 km of ghent', ['Within 100 km of Ghent']],
  ['what is closest to lissabon', ['Within 500 km of Lisbon']],
  ['nearest game jams to Lisbon online', ['Games', 'Online', 'Within 500 km of Lisbon']],
  ['scotland', ['Scotland']],
  ['tx', ['TX']],
  ['new york ny', ['New York', 'NY']],
  ['georgia', ['Georgia']],
  ['before christmas', ['Until 24 Dec 2026']],
  ['New Year’s Eve', ['31 Dec']],
  ['tomorrow morning', ['Tomorrow, Thu 26 Nov', 'In the morning']],
  ['starts tomorrow', ['Starts: Tomorrow, Thu 26 Nov']],
  ['starts on friday', ['Starts: Friday, Fri 27 Nov']],
  ['starts samstag', ['Starts: Saturday, Sat 28 Nov']],
  ['announced this week', ['Announced: This week, 23–25 Nov']],
  ['announced this month', ['Announced: This month, 1–25 Nov']],
  ['announced this year', ['Announced: This year, 1 Jan – 25 Nov']],
  ['new since monday', ['Announced: From 23 Nov 2026']],
  ['new since october', ['Announced: From 1 Oct 2026']],
  ['last weekend', ['Last weekend, 21–22 Nov']],
  ['cancelled', ['Cancelled']],
  ['sold out', ['Full']],
  ['for beginners', ['For beginners']],
  ['évènements en ligne ce week-end', ['Online', 'This weekend, 28–29 Nov']],
  ['from 16', ['Age 16']],
  ['for 12 year olds online', ['Age 12', 'Online']],
  ['16+ in lisbon', ['Age 16', 'Lisbon']],
  ['5 декабря', ['5 Dec']],
  ['суббота', ['Saturday, Sat 28 Nov']],
  ['next game jam', ['Coming up', 'Games']],
  ['ciudad de mexico', ['Ciudad de México']],
  ['usa', ['United States']],
  ['東京', ['東京']],
  ['not online', ['Not online']],
  ['not in Lisbon', ['Not Lisbon']],
  ['no kids, not free', ['Not for kids', 'Paid']],
  ['not lasers', ['Not “lasers”']],
  ['not near Lisbon', ['Not within 50 km of Lisbon']],
  ['not in Lisbon or New York', ['Not Lisbon', 'Not New York']],
  ['neither online nor in Lisbon', ['Not online', 'Not Lisbon']],
  ['online or in Lisbon', ['Online', 'Lisbon']],
  ['not lasers or robots, online', ['Not “lasers”', 'Not “robots”', 'Online']],
  ['ohne Kinder', ['Not for kids']],
  ['electronics but not CAD', ['Electronics', 'Not CAD']],
  ['eventos no Japão', ['Japan']],
  ['eventos que no sean en línea', ['Not online']],
  ['w Zurychu w grudniu', ['Zurych', 'December']],
  ['オンライン以外', ['Not online']],
  ['under 10 euro', ['Under €10']],
  ['less than €12.50 online', ['Under €12.50', 'Online']],
  ['unter 20 Euro', ['Under €20']],
  ['paid events', ['Paid']],
  ['free or cheap', ['Free', 'Under 10']],
  ['family friendly', ['For kids']],
  ['things that glow', ['Things that Glow']],
  ['Events in Paris', ['Paris']],
  ['München', ['München']],
  ['w Krakowie', ['Krakow']],
  ['vad händer i Lissabon i helgen?', ['Lisbon', 'This weekend, 28–29 Nov']],
  ['gratis evenemang för barn nästa vecka', ['Free', 'For kids', 'Next week, 30 Nov – 6 Dec']],
  ['akce zdarma v Praze v sobotu', ['Free', 'Praha', 'Saturday, Sat 28 Nov']],
  ['co se děje v Brně v dubnu', ['Brno', 'April']],
  ['что будет в Москве в эти выходные', ['Москва', 'This weekend, 28–29 Nov']],
  ['бесплатные мероприятия для детей в Казани', ['Free', 'For kids', 'Казань']],
  ['онлайн в субботу', ['Online', 'Saturday, Sat 28 Nov']],
  ['リスボンの近くで12月5日', ['5 Dec', 'Within 50 km of Lisbon']],
  ['12월에 온라인', ['December', 'Online']],
  ['日曜日に東京で', ['Sunday, Sun 29 Nov', '東京']],
  ['ｵﾝﾗｲﾝ', ['Online']],
  ['en persona para adolescentes', ['In person', 'Age 15']],
  ['près d’Amsterdam dimanche', ['Sunday, Sun 29 Nov', 'Within 50 km of Amsterdam']],
  ['Aralık ayında ne var', ['December']],
  ['ÇEVRİMİÇİ', ['Online']],
  ['بالقاهرة غدا', ['القاهرة', 'Tomorrow, Thu 26 Nov']],
  ['upcoming cad hackathons in lisbon', ['Coming up', 'CAD', 'Lisbon']],
] as const)('“%s” is understood as %j, and nothing else is left', ([q, expected]) => {
  expect(labels(q)).toEqual(expected);
  expect(textOf(q)).toEqual([]);
});

test.for([
  ['31 february', ['February'], ['31']],
  ['2026-02-30', [], ['2026-02-30']],
  ['45 december robots', ['December'], ['45', 'robots']],
  ['1800', [], ['1800']],
  ['5', [], ['5']],
  ['i ran in us', [], ['ran', 'us']],
  ['next jam', ['Coming up'], ['jam']],
  ['no limits', [], ['no', 'limits']],
  ['under 18', [], ['under', '18']],
  ['interested in xylophones', [], ['interested', 'xylophones']],
  ['from 8 pm', [], ['8', 'pm']],
  ['full stack', [], ['full', 'stack']],
  ['lisbon or new york in december', ['Lisbon', 'New York', 'December'], []],
  ['near future', [], ['future']],
  ['new robots', [], ['new', 'robots']],
  ['constructor toString', [], ['constructor', 'tostring']],
] as const)('“%s”: %j, and the text %j', ([q, expected, text]) => {
  expect(labels(q)).toEqual(expected);
  expect(textOf(q)).toEqual(text);
});

test('each chip has the search without its words', () => {
  const chips = (q: string) => toChips(parse(q));
  expect(chips('Robots, online in Lisbon')).toEqual([
    { label: 'Online', rest: 'Robots in Lisbon' },
    { label: 'Lisbon', rest: 'Robots online in' },
    { label: '“Robots”', rest: 'online in Lisbon' },
  ]);
  expect(chips('events in lisbon')).toEqual([{ label: 'Lisbon', rest: '' }]);
  expect(chips('robots and lasers')).toEqual([]);
});

test('words of a place that mean something else keep their meaning', () => {
  expect(parse('online').understood[0]?.meaning).toEqual({ kind: 'format', value: 'online' });
});

test('any words can be searched for', () => {
  const words =
    'from between until 0000-01-01 9999-12-31 2026-12 5 31 5-7 - to dec feb 29 0 next weekend sat in';
  const search = fc.array(fc.constantFrom(...words.split(' ')), { maxLength: 12 });
  fc.assert(
    fc.property(search, (some) => {
      const { understood, text, words: all } = parse(some.join(' '));
      expect(all).toHaveLength(some.length);
      expect(understood.length + text.length).toBeLessThanOrEqual(some.length);
    }),
  );
});

test('a word for days in another language is a word where an event’s name has it, or where it is short', () => {
  for (const word of ['samstag', 'mars', 'mai', 'sunnuntaina', 'morgenland']) {
    expect([labels(word), textOf(word)]).toEqual([[], [word]]);
  }
});

test('names of events are looked through only for words that may be days of other languages', () => {
  const asked: string[] = [];
  const ask = (word: string) => {
    asked.push(word);
    return false;
  };
  parseSearch('robot evening workshops in the old printing house', { ...context, isName: ask });
  expect(asked).toEqual([]);
  parseSearch('robot samstag in deutschland', { ...context, isName: ask });
  expect(asked).toEqual(['samstag']);
});
