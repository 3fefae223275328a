import { toJsonObject, toText } from '#lib/http/json-value.ts';
import { type Cell, readSingle } from './text-cell.ts';

/** A website, if need be out of a text. */
export function readWebUrl(cell: Cell): string | null {
  const value = readUrlText(cell);
  if (value === null) return null;
  return (
    findWebUrl(value, cell) ??
    cell.repaired(toContactUrl(value) === null ? 'not_a_web_url' : 'not_a_website')
  );
}

/** A website, a mail address or a phone number. */
export function readContactUrl(cell: Cell): string | null {
  const value = readUrlText(cell);
  if (value === null) return null;
  return toContactUrl(value) ?? findWebUrl(value, cell) ?? cell.repaired('not_a_web_url');
}

function readUrlText(cell: Cell): string | null {
  const button = toJsonObject(cell.raw);
  return readSingle('label' in button ? { ...cell, raw: toText(button.url) } : cell);
}

export function toWebUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.username === '' && url.password === '' && text.length <= urlLengthMax
    ? url.href
    : null;
}

const urlLengthMax = 4096;
/** Of a cell: whether they differ, and the first one. */
const urlsMax = 100;

/** A URL, if need be without its scheme or out of a text, such as its title. */
function findWebUrl(text: string, cell: Cell): string | null {
  const whole = /\s/.test(text) ? null : toWebUrl(text);
  if (whole !== null) return whole;
  if (isHostAndPath(text)) {
    const url = toWebUrl(`https://${text.replace(/^\/\//, '')}`);
    if (url !== null) cell.repaired('url_rewritten');
    return url;
  }
  const urls = new Set(listUrls(text));
  const [url] = urls;
  if (url === undefined) return null;
  cell.repaired(urls.size > 1 ? 'several_urls' : 'url_in_text');
  return url;
}

function isHostAndPath(text: string): boolean {
  return /^(?:\/\/)?(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u.test(text);
}

function listUrls(text: string): string[] {
  const found = text.match(/(?:https?:\/\/|\bwww\.)[^\s<>"|\]]+/gi) ?? [];
  const short = found.filter(({ length }) => length <= urlLengthMax).slice(0, urlsMax);
  return short.flatMap((match) => {
    const trimmed = trimUrl(match);
    return toWebUrl(/^www\./i.test(trimmed) ? `https://${trimmed}` : trimmed) ?? [];
  });
}

/** Without what ends the sentence or the bracket that it stands in. */
function trimUrl(url: string): string {
  const count = (bracket: string) => url.split(bracket).length - 1;
  let unopened = count(')') - count('(');
  let end = url.length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened--;
    else if (!/[.,;:!?'’”*_]/.test(last)) break;
  }
  return url.slice(0, end);
}

function toContactUrl(text: string): string | null {
  if (/^(?:mailto:)?[^\s@:/]+@[^\s@:/]+\.\p{L}{2,}$/iu.test(text))
    return toUrl(`mailto:${text.replace(/^mailto:/i, '')}`);
  const isPhone = /^(?:tel:\s*\+?|\+)\d[\d\s()./-]{4,24}$/i.test(text);
  return isPhone ? toUrl(`tel:${text.replace(/[^\d+]/g, '')}`) : null;
}

function toUrl(text: string): string | null {
  return URL.parse(text)?.href ?? null;
}
