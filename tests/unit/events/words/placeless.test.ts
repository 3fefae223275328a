import { expect, test } from 'vitest';
import { parsePlaceless } from '#lib/events/words/placeless.ts';

test.for([
  'Zoom',
  'Online',
  'Online (Zoom)',
  'Online, Worldwide',
  'Worldwide',
  'Worldwide (remote and online)',
  'Discord',
  'Discord server',
  'Virtual event',
  'via Microsoft Teams',
  'Google Meet',
  'YouTube Live',
  'Livestream on Twitch',
  'Zoom link TBA',
  'Google Meet link will be sent',
  'Webinar',
  'Anywhere',
  'https://zoom.us/j/123456789?pwd=x',
  'En ligne',
  'En línea (Zoom)',
  'オンライン',
  'オンライン（Zoom）',
  '온라인',
  '线上',
  'Онлайн',
  'אונליין',
  'عبر الإنترنت',
  'ऑनलाइन',
])('%s is online', (text) => {
  expect(parsePlaceless(text)).toBe('online');
});

test.for([
  'TBA',
  'tbd',
  'T.B.A.',
  'TBC',
  'n/a',
  'null',
  'N/A',
  '-',
  '?',
  'To be announced',
  'Location TBA',
  'Venue to be confirmed',
  'Various locations',
  'Date and location TBD',
  'Coming soon',
  'Por confirmar',
  'À confirmer',
  'noch offen',
  'n. n.',
  '未定',
  '미정',
  'Unknown',
])('%s is a place that is not known', (text) => {
  expect(parsePlaceless(text)).toBe('unknown');
});

test.for([
  'Market Hall',
  'The Place',
  'The Venue',
  'Home',
  'Remote Island Resort',
  'Zoom Café, Ghent',
  'Global Center',
  'Internet Archive, San Francisco',
  'Online, USA',
  'Teams Square',
  'Meet',
  'Live Room',
  'Registration',
  'Berlin',
  'Tbilisi',
  'Nara',
  'Discord Hall',
  'https://maps.app.goo.gl/abc',
  `Zoom ${'x'.repeat(100)}`,
])('%s may be a place', (text) => {
  expect(parsePlaceless(text)).toBeNull();
});
