import type { EventFormat, MarqueeEvent } from '../model/schema.ts';
import { foldText } from './fold-text.ts';

/** What stands in a cell for a place without being one: that the event is online, or that the place is not known. */
export type Placeless = 'online' | 'unknown';

/** Folded words in many languages: that something is online, worldwide, or where people meet online. */
const onlineWords = [
  'on[ -]?line, virtual, virtually, remote, remotely, internet, web, website, webinar, digital, digitally, cyberspace, metaverse',
  'live ?stream(?:ed|ing)?, stream(?:ed|ing)?, broadcast, video ?call, video ?conference, conference call',
  'worldwide, world wide, global, globally, anywhere, everywhere, all over the world, weltweit, mundial',
  'zoom, discord, slack, skype, webex, jitsi, twitch, youtube, google meet, google hangouts?, hangouts, gmeet',
  '(?:ms |microsoft )?teams, gotomeeting, gotowebinar, bigbluebutton, bbb, hopin, crowdcast, streamyard',
  'gather ?town, airmeet, livestorm, linkedin, linkedin live, facebook live, instagram live, tiktok',
  'twitter spaces?, telegram, whatsapp, wechat, vrchat, mozilla hubs, irc',
  'en ligne, a distance, visio(?:conference)?, en linea, en remoto, a distancia, virtuel(?:le)?, virtuell(?:e|t)?',
  'virtuale, in rete, da remoto, a distanza, remoto, em linha, pela internet, in het internet, op afstand',
  'pa natet, pa nett, pa nettet, verkossa, etana, etatapahtuma, zdalnie, zdalne, na dalku, cevrim ?ici',
  'uzaktan, διαδικτυακα, διαδικτυο, онлайн, в сети, дистанционно, удаленно, онлаин, вебинар',
  'オンライン, オンライン開催, リモート, 온라인, 온라인 개최, 비대면, 线上, 線上, 在线, 網上, 网上, ออนไลน์, truc tuyen',
  'أونلاين, اونلاين, عبر الإنترنت, عن بعد, افتراضي, آنلاین, מקוון, אונליין, ऑनलाइन, অনলাইন, ஆன்லைன், daring',
];

/** Beside those words. */
const besides = [
  'only, event, meeting, meet, session, call, link, server, channel, room, live, video, conference, class, course',
  'workshop, meetup, platform, edition, via, on, at, over, through, by, in, and, or, the, a, an, y, e, et, ou, und, oder',
  'uber, per, auf, par, sur, por, evento, evenement, veranstaltung, location, venue, place, address, city, ort, lieu',
  'lugar, local, luogo, to, be, is, will, details?, soon, later, later on, from home, your home, home, sent, shared, emailed, provided, after, upon, with, for, registration, rsvp, date, time',
];

/** The place is not known, or there are several. */
const unknownWords = [
  't\\.?b\\.?[acd]\\.?, to be (?:announced|determined|confirmed|decided|defined), not (?:yet )?(?:known|announced|decided)',
  'null, undefined, yet to be (?:announced|confirmed|decided), n[./]?a\\.?, none, unknown, various, multiple, several, hybrid',
  'coming soon, pending, undecided, not applicable, various locations, multiple locations, locations?, cities, countries',
  'a definir, por definir, por confirmar, por anunciar, a confirmar, a anunciar, a confirmer, a preciser',
  'da definire, da confermare, noch offen, noch unbekannt, wird noch bekannt ?gegeben, n\\.? ?n\\.?, nnb',
  'nog niet bekend, volgt, do ustalenia, bude upresneno, уточняется, будет объявлено, 未定, 調整中, 미정, 추후 공지, 待定, 未定义',
];

function toPattern(lists: readonly string[]): RegExp {
  const words = lists.flatMap((list) => list.split(', ')).map(foldText);
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  return new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}])(?:${longestFirst.join('|')})(?![\\p{L}\\p{M}\\p{N}])`,
    'gu',
  );
}

const onlinePattern = toPattern(onlineWords);
const unknownPattern = toPattern(unknownWords);
const anyPattern = toPattern([...onlineWords, ...unknownWords]);
const besidePattern = toPattern(besides);

/** Links to where people meet online. */
const onlineLink =
  /(?:https?:\/\/)?(?:[\w-]+\.)*(?:zoom\.us|meet\.google\.com|teams\.(?:microsoft|live)\.com|discord\.(?:gg|com)|youtube\.com|youtu\.be|twitch\.tv|webex\.com|jit\.si|gotomeeting\.com|gather\.town|crowdcast\.io|streamyard\.com|hopin\.com)(?:\/\S*)?/g;

/** Longer texts say more than that. */
const lengthMax = 100;

/** Whether a text says nothing of a place but that there is none: `Online (Zoom)`, `TBA`; null for any other text. */
export function parsePlaceless(text: string): Placeless | null {
  if (text.length > lengthMax) return null;
  const folded = text.includes('.')
    ? foldText(text).replace(onlineLink, ' online ')
    : foldText(text);
  // Most cells name a place, which one pass says.
  if (folded.search(anyPattern) === -1) return /[\p{L}\p{N}]/u.test(folded) ? null : 'unknown';
  const withoutOnline = folded.replace(onlinePattern, ' ');
  const rest = withoutOnline.replace(unknownPattern, ' ').replace(besidePattern, ' ');
  if (/[\p{L}\p{N}]/u.test(rest)) return null;
  return withoutOnline === folded ? 'unknown' : 'online';
}

/** An event’s format: that of its own, or `online` if its location says so and nothing else is known of its place. */
export function toKnownFormat({
  format,
  inPerson,
  place,
}: Pick<MarqueeEvent, 'format' | 'inPerson' | 'place'>): EventFormat | null {
  if (format !== null || place !== null) return format;
  return parsePlaceless(inPerson?.location ?? '') === 'online' ? 'online' : null;
}
