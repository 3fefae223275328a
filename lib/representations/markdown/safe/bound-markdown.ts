/**
 * Markdown is cut before it is parsed: the parser takes quadratic time for nested and unclosed markup. Texts
 * that people write stay far below these bounds.
 */
export const markdownLengthMax = 8_000;
const markupMax = 600;
const linesMax = 250;
const containersMax = 6;
const indentMax = 16;

type BoundedMarkdown = Readonly<{
  text: string;
  /** Whether the text was shortened. */
  isCut: boolean;
}>;

const markup = /[\\`*_[\]<>|~&!@]/;

/**
 * Cuts Markdown where it exceeds a bound, at the end of a paragraph, line or word if one is near, and
 * flattens deep nesting.
 * @param text without control characters, with LF line endings.
 */
export function boundMarkdown(text: string, lengthMax: number): BoundedMarkdown {
  const end = findEnd(text, Math.min(lengthMax, markdownLengthMax));
  const isCut = end < text.length;
  const bounded = isCut ? cutBetweenWords(text.slice(0, end)) : text;
  return { text: flattenNesting(bounded), isCut };
}

function findEnd(text: string, lengthMax: number): number {
  let markupCount = 0;
  let lineCount = 0;
  const end = Math.min(text.length, lengthMax);
  for (let index = 0; index < end; index++) {
    const character = text.charAt(index);
    if (character === '\n') lineCount++;
    else if (markup.test(character)) markupCount++;
    if (markupCount > markupMax || lineCount > linesMax) return index;
  }
  return end;
}

function cutBetweenWords(text: string): string {
  const near = Math.floor(text.length * 0.8);
  for (const boundary of ['\n\n', '\n', ' ']) {
    const position = text.lastIndexOf(boundary);
    if (position > near) return text.slice(0, position);
  }
  return text.replace(/[\ud800-\udbff]$/, '');
}

const containerMarkers = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)))+/;
const oneMarker = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))/g;

function flattenNesting(text: string): string {
  return text
    .replace(/\n{4,}/g, '\n\n\n')
    .split('\n')
    .map((line) => flattenLine(boundIndent(line)))
    .join('\n');
}

function boundIndent(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  const columns = indent.replaceAll('\t', '    ').length;
  return columns <= indentMax ? line : `${' '.repeat(indentMax)}${line.slice(indent.length)}`;
}

function flattenLine(line: string): string {
  const markers = containerMarkers.exec(line)?.[0];
  if (markers === undefined) return line;
  const each = markers.match(oneMarker) ?? [];
  if (each.length <= containersMax) return line;
  return each.slice(0, containersMax).join('') + line.slice(markers.length);
}
