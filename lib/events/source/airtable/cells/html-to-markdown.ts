import { toHtml } from 'hast-util-to-html';
import { type Handle, toMdast } from 'hast-util-to-mdast';
import type { Html, Nodes, PhrasingContent, Root, RootContent } from 'mdast';
import { toHast } from 'mdast-util-to-hast';
import rehypeParse from 'rehype-parse';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { inlineFootnotes } from '../../../words/footnotes.ts';

/**
 * A cell's text as Markdown: the HTML of calendars, Word and Notion, alone or within Markdown, becomes Markdown.
 * What looks like a tag and is none, such as `<friend>` or `Vector<T>`, stays text, and so does code.
 */
export function htmlToMarkdown(text: string): string {
  if (countOf(text, '<') > tagsMax) return text;
  const isHtml = createTagTest(text);
  if (!listTags(text).some(isHtml)) return text;
  if (isDocument(text)) return toMarkdown(cleanHtml(text, isHtml), false) ?? text;
  // The parser takes quadratic time for nested and unclosed markup.
  if (text.length > markdownLengthMax || countMarkup(text) > markupMax) return text;
  const tree = markdownParser.parse(text);
  inlineFootnotes(tree);
  const nodes = listHtml(tree);
  const source = nodes.map(({ value }) => value).join('\n');
  const isHtmlInMarkdown = createTagTest(source);
  if (!listTags(source).some(isHtmlInMarkdown)) return text;
  unlinkLiterals(tree, text);
  for (const node of nodes) node.value = cleanHtml(node.value, isHtmlInMarkdown);
  const raw = { allowDangerousHtml: true };
  return toMarkdown(toHtml(toHast(tree, raw), raw), true) ?? text;
}

const markdownLengthMax = 20_000;
const markupMax = 1_500;
const tagsMax = 3_000;
const depthMax = 40;
/** Marks that are not closed are repeated in each block. */
const repeatedMax = 3_000;

const markdownParser = unified().use(remarkParse).use(remarkGfm).freeze();
const htmlParser = unified().use(rehypeParse, { fragment: true }).freeze();
const writer = unified()
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: '-', rule: '-', listItemIndent: 'one' })
  .freeze();

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

function countMarkup(text: string): number {
  return text.match(/[\\`*_[\]<>|~&!@]/g)?.length ?? 0;
}

function listHtml(node: Nodes): Html[] {
  if (node.type === 'html') return [node];
  return 'children' in node ? node.children.flatMap(listHtml) : [];
}

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const voidNames = toSet('br hr img input link meta source wbr');
/** Blocks begin a document. Those whose end may be missing are listed again. */
const blockNames = toSet(
  'address article aside blockquote body center details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 head header html main nav ol p pre section style table ul',
);
const endedByOthers = toSet('body dd dt head html li p tbody td tfoot th thead tr');
/** What they contain is no text of an event. */
const droppedNames =
  'audio button canvas embed iframe object link meta script select source style svg template textarea title video'.split(
    ' ',
  );
const knownNames: ReadonlySet<string> = new Set([
  ...voidNames,
  ...blockNames,
  ...endedByOthers,
  ...droppedNames,
  ...'a abbr acronym b bdi bdo big caption cite code col colgroup del dfn em figcaption font i ins kbd label legend mark noscript picture q s samp small span strike strong sub summary sup time tt u var'.split(
    ' ',
  ),
]);
const markNames = toSet('a b big code em font i s small strike strong tt u');
/** Attributes of others, such as styles, say nothing. */
const namesWithAttributes = toSet('a img input ol');

/** A comment, a declaration, or a tag. Those of Word and of Google have names such as `o:p` and `html-blob`. */
const tagPattern =
  /<!--[\s\S]{0,5000}?-->|<[!?][^<>]*>|<(\/?)([a-z][a-z0-9]*(?:[:-][a-z0-9:-]*)?)((?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?)\/?>/gi;

type Tag = Readonly<{
  text: string;
  index: number;
  /** Empty for comments and declarations. */
  name: string;
  isEnd: boolean;
  attributes: string;
  /** The character before it. */
  before: string;
}>;

function listTags(html: string): Tag[] {
  return [...html.matchAll(tagPattern)].map(
    ({ 0: text, 1: slash, 2: name, 3: attributes, index }) => ({
      text,
      index,
      name: name?.toLowerCase() ?? '',
      isEnd: slash === '/',
      attributes: attributes ?? '',
      before: html.charAt(index - 1),
    }),
  );
}

/** Tells tags from what looks like one: an element begins and ends in the text. */
function createTagTest(source: string): (tag: Tag) => boolean {
  const tags = listTags(source);
  const toNames = (isEnd: boolean) =>
    new Set(tags.filter((tag) => tag.isEnd === isEnd).map(({ name }) => name));
  const [begun, ended] = [toNames(false), toNames(true)];
  return ({ name, isEnd, before }) => {
    if (name === '' || /[:-]/.test(name) || voidNames.has(name)) return true;
    if (!knownNames.has(name)) return false;
    if ((isEnd ? begun : ended).has(name)) return true;
    return endedByOthers.has(name) && !/[\p{L}\p{N}]/u.test(before);
  };
}

/** Whether a text is HTML from its start to its end, as exports and mails are. */
function isDocument(text: string): boolean {
  const first = /^\s*<(?:!doctype|html-blob|([a-z][a-z0-9]*))[\s/>]/i.exec(text);
  if (first === null || !/>\s*$/.test(text)) return false;
  return first[1] === undefined || blockNames.has(first[1].toLowerCase());
}

/** Without attributes and unknown elements; what is no HTML is escaped. */
function cleanHtml(html: string, isHtml: (tag: Tag) => boolean): string {
  let cleaned = '';
  let end = 0;
  for (const tag of listTags(html)) {
    cleaned += html.slice(end, tag.index);
    cleaned += isHtml(tag) ? toPlainTag(tag) : tag.text.replaceAll('<', '&lt;');
    end = tag.index + tag.text.length;
  }
  return cleaned + html.slice(end);
}

function toPlainTag({ name, isEnd, attributes }: Tag): string {
  if (!knownNames.has(name)) return '';
  if (isEnd) return `</${name}>`;
  return `<${name}${namesWithAttributes.has(name) ? attributes.replace(/\/$/, '') : ''}>`;
}

/** Null if there are too many elements, or too many within each other. @param newlines whether line ends are kept. */
function toMarkdown(html: string, newlines: boolean): string | null {
  const paragraphs = html.replace(/&nbsp;|\u{a0}/gu, ' ').replace(/(?:<br>\s*){2,}/g, '<p>');
  if (!isBounded(paragraphs)) return null;
  const tree = toMdast(htmlParser.parse(paragraphs), { handlers, newlines }) as Root;
  linkUrls(tree);
  return writer.stringify(tree).trim();
}

function isBounded(html: string): boolean {
  const open = new Map<string, number>();
  let [depth, marks, repeated] = [0, 0, 0];
  for (const { name, isEnd } of listTags(html)) {
    if (voidNames.has(name)) continue;
    const count = open.get(name) ?? 0;
    const step = isEnd ? -Math.min(1, count) : 1;
    open.set(name, count + step);
    if (!endedByOthers.has(name)) depth += step;
    if (markNames.has(name)) marks += step;
    else repeated += marks;
    if (depth > depthMax || repeated > repeatedMax) return false;
  }
  return true;
}

/** A URL within an element may be the text of a link already. */
function unlinkLiterals(parent: Nodes, source: string): void {
  if (!('children' in parent)) return;
  const children = parent.children as RootContent[];
  parent.children = children.flatMap((child): RootContent[] => {
    const { start, end } = child.position ?? {};
    const written = source.slice(start?.offset, end?.offset);
    const isLiteral = child.type === 'link' && /^(?:https?:|www\.|[\w.+-]+@)/i.test(written);
    if (!isLiteral) unlinkLiterals(child, source);
    return isLiteral ? child.children : [child];
  }) as typeof parent.children;
}

const urlPattern =
  /https?:\/\/[^\s<>]*[^\s<>.,;:!?'")\]]|(?<![\w.+-])[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi;

/** Written as links, URLs have no backslashes. */
function linkUrls(parent: Nodes): void {
  if (!('children' in parent) || parent.type === 'link') return;
  const children = parent.children as RootContent[];
  children.forEach(linkUrls);
  parent.children = children.flatMap((child): RootContent[] =>
    child.type === 'text' ? toLinkedText(child.value) : [child],
  ) as typeof parent.children;
}

function toLinkedText(value: string): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  let end = 0;
  for (const { 0: words, index } of value.matchAll(urlPattern)) {
    const url = words.includes('://') ? words : `mailto:${words}`;
    nodes.push({ type: 'text', value: value.slice(end, index) });
    nodes.push({ type: 'link', url, children: [{ type: 'text', value: words }] });
    end = index + words.length;
  }
  return [...nodes, { type: 'text', value: value.slice(end) }];
}

const all: Handle = (state, node) => state.all(node);
const drop: Handle = () => undefined;

const toLink: Handle = (state, node) => {
  const children = state.all(node) as PhrasingContent[];
  const url = toLinkUrl(node.properties.href);
  return url === null ? children : { type: 'link', url, children };
};

/** Pictures are not loaded from elsewhere; those without words may count readers. */
const toPictureLink: Handle = (_, { properties: { alt, src } }) => {
  const words = String(alt ?? '').trim();
  const url = toLinkUrl(src);
  if (words === '') return undefined;
  const text = { type: 'text', value: words } as const;
  return url === null ? text : { type: 'link', url, children: [text] };
};

/** Spaces and line breaks at its ends are no part of marked words. Blocks, as Google Docs marks them, are none. */
function toMark(type: 'strong' | 'emphasis' | 'delete'): Handle {
  return (state, node) => {
    const nodes = state.all(node) as Nodes[];
    if (nodes.some(isBlock)) return nodes;
    const children = nodes as PhrasingContent[];
    const start = children.findIndex((child) => !isBlank(child));
    if (start === -1) return children;
    const end = children.findLastIndex((child) => !isBlank(child)) + 1;
    const words = children.slice(start, end);
    const [first, last] = [words[0], words.at(-1)];
    const before = first?.type === 'text' ? (/^\s*/.exec(first.value)?.[0] ?? '') : '';
    if (first?.type === 'text') first.value = first.value.trimStart();
    const after = last?.type === 'text' ? (/\s*$/.exec(last.value)?.[0] ?? '') : '';
    if (last?.type === 'text') last.value = last.value.trimEnd();
    return [
      ...children.slice(0, start),
      { type: 'text', value: before },
      { type, children: words },
      { type: 'text', value: after },
      ...children.slice(end),
    ];
  };
}

function isBlank(node: PhrasingContent): boolean {
  return node.type === 'break' || (node.type === 'text' && node.value.trim() === '');
}

function isBlock({ type }: Nodes): boolean {
  return /^(?:paragraph|heading|list|listItem|table|blockquote|code|thematicBreak)$/.test(type);
}

const handlers: Readonly<Record<string, Handle>> = {
  ...Object.fromEntries(droppedNames.map((name) => [name, drop])),
  a: toLink,
  b: toMark('strong'),
  strong: toMark('strong'),
  i: toMark('emphasis'),
  em: toMark('emphasis'),
  s: toMark('delete'),
  strike: toMark('delete'),
  del: toMark('delete'),
  u: all,
  mark: all,
  caption: all,
  legend: all,
  img: toPictureLink,
};

const linkProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Where a link of a calendar or a mail leads: Google and Outlook send visitors past themselves. */
function toLinkUrl(value: unknown): string | null {
  const url = URL.parse(String(value ?? ''));
  if (url === null || !linkProtocols.has(url.protocol)) return null;
  const target =
    /^(?:www\.)?google\.[a-z.]+$/.test(url.hostname) && url.pathname === '/url'
      ? (url.searchParams.get('q') ?? url.searchParams.get('url'))
      : url.hostname.endsWith('.safelinks.protection.outlook.com')
        ? url.searchParams.get('url')
        : null;
  const next = URL.parse(target ?? '');
  return next !== null && linkProtocols.has(next.protocol) ? next.href : url.href;
}
