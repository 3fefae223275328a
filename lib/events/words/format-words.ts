import type { EventFormat } from '../model/schema.ts';
import { foldText } from './fold-text.ts';
import { parsePlaceless } from './placeless.ts';

/** What people call formats, folded, in the languages of tables. */
export const formatPhrases: Readonly<Record<EventFormat, readonly string[]>> = {
  'in-person': toPhrases(
    'in person, in-person, inperson, irl, offline, on site, onsite, face to face, presencial, en persona, présentiel',
    'en présentiel, sur place, vor ort, vor-ort, präsenz, präsenzveranstaltung, in presenza, dal vivo, presenziale',
    'ter plaatse, op locatie, fysiek, fysisk, fysiskt, på plats, på stedet, paikan päällä, lähitapahtuma',
    'stacjonarnie, stacjonarne, na miejscu, na místě, osobně, osobne, prezenčně, személyes, yüz yüze, uživo',
    'очно, офлайн, оффлайн, очный, наживо, δια ζώσης, حضوري, حضوریاً, פרונטלי, tatap muka, luring, trực tiếp',
    '対面, 現地, 現地開催, オフライン, オンサイト, リアル, リアル開催, 오프라인, 현장, 대면, 线下, 線下, 现场, 現場, ออนไซต์',
  ),
  online: toPhrases(
    'online, remote, remotely, virtual, virtually, en ligne, en línea, à distance, distanciel, virtuell, virtuel, virtuale',
    'zdalnie, verkossa, etänä, çevrimiçi, онлайн, オンライン, 온라인, 비대면, 线上, 線上, ออนไลน์, أونلاين, מקוון, trực tuyến',
  ),
  both: toPhrases(
    'hybrid, in person and online, online and in person, híbrido, híbrida, hybride, ibrido, ibrida, hibrit',
    'hybridní, hybrydowo, hybrydowe, hybrydowy, hybridi, hibrid, híbrid, гибрид, гибридный, гібридний, υβριδικό',
    'ハイブリッド, 하이브리드, 온오프라인, 混合, 线上线下, هجين, היברידי, ไฮบริด, kết hợp',
  ),
};

function toPhrases(...lists: readonly string[]): string[] {
  return lists.flatMap((list) => list.split(', ')).map(foldText);
}

/** A search with these words looks for something else. */
const cellWords: Readonly<Record<string, EventFormat>> = {
  physical: 'in-person',
  both: 'both',
  mixed: 'both',
};

const formatsByName: ReadonlyMap<string, EventFormat> = new Map([
  ...Object.entries(cellWords),
  ...Object.entries(formatPhrases).flatMap(([format, names]) =>
    names.map((name) => [toPlain(name), format as EventFormat] as const),
  ),
]);

/** Between the formats of one choice: `presencial e online`. */
const joints = /\s*[/&+]\s*|\s+(?:and|or|und|et|ou|y|e|o|en|og|och|i)\s+/i;

/** Longer texts name none. */
const lengthMax = 100;

/** The format that a text names; null if it is none. */
export function parseFormat(text: string): EventFormat | null {
  if (text.length > lengthMax) return null;
  const known = findFormat(text);
  if (known !== null) return known;
  const parts = text.split(joints).map(findFormat);
  const [first = null, ...others] = new Set(parts);
  return others.length > 0 && !parts.includes(null) ? 'both' : first;
}

/** Beside a format: `In Präsenz`, `In person only`, `Hybrid (Berlin + Zoom)`. */
const besides = /\s*\(.*\)$|\s+(?:only|events?|meeting|format|möglich)$|^in\s+(?=präsenz)/gi;

function findFormat(text: string): EventFormat | null {
  const plain = text.trim().replace(besides, '');
  const format = formatsByName.get(toPlain(text)) ?? formatsByName.get(toPlain(plain));
  return format ?? (parsePlaceless(text) === 'online' ? 'online' : null);
}

function toPlain(text: string): string {
  return foldText(text).replace(/[\s\p{Pd}_]+/gu, '');
}

const online = '(?:online|virtual(?:ly)?|remote|hybrid|zoom|worldwide|live ?stream(?:ed)?|stream)';
const joint = '(?:\\s*[/|+&,;(–—-]\\s*|\\s+(?:and|or|und|oder|et|ou|y|e)\\s+)+';
const onlineBehind = new RegExp(`(?:${joint}${online}(?:\\s+(?:event|venue|edition))?)+\\)?$`, 'i');
/** `Online (and Berlin)`. */
const onlineAlone = new RegExp(`^${online}\\s*\\((and |und |et |y |e |& |\\+ )?(.+)\\)$`, 'i');
const onlineBefore = new RegExp(`^(?:${online}(?:\\s+(?=${online}\\b)|${joint}))+`, 'i');

/** Without what says that the event is online, too; nothing if it is online only: `Istanbul (online)`. */
export function splitOnline(text: string): Readonly<{ rest: string; isOnline: boolean }> {
  const [, place = '', words = ''] = /^(.*\S)\s*\(([^()]*)\)$/.exec(text) ?? [];
  const format = parsePlaceless(place) === null ? parseFormat(words) : null;
  if (format !== null) {
    return { rest: format === 'online' ? '' : place, isOnline: format !== 'in-person' };
  }
  const [alone, conjunction, inner = ''] = onlineAlone.exec(text) ?? [];
  if (alone !== undefined && conjunction === undefined && !/^hybrid/i.test(text)) {
    return { rest: '', isOnline: true };
  }
  const rest = (inner || text.replace(onlineBehind, '').replace(onlineBefore, '')).trim();
  return rest === '' ? { rest: text, isOnline: false } : { rest, isOnline: rest !== text };
}
