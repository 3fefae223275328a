/** What a visitor without scripts reads on a page, and where its links lead. */
export function readPage(html: string): Readonly<{ text: string; links: readonly string[] }> {
  const body = html
    .slice(Math.max(0, html.indexOf('<body')))
    .replace(/<(script|style|template|svg)\b[^>]*>[\s\S]*?<\/\1>/gi, '')
    .replace(/<!--[\s\S]*?-->/g, '');
  const text = body
    .replace(
      /<(?:br|\/?(?:p|div|li|ul|ol|h\d|section|article|header|footer|nav|main|tr|td|th|pre|dl|dt|dd|form|label|option|button|a))\b[^>]*>/gi,
      '\n',
    )
    .replace(/<[^>]*>/g, '');
  const links = [...body.matchAll(/\s(?:href|action)="([^"]*)"/g)].map(([, link = '']) =>
    decode(link),
  );
  const lines = decode(text)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim());
  return { text: lines.filter((line) => line !== '').join('\n'), links };
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decode(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (entity, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal ? String.fromCodePoint(Number(decimal)) : (entities[name] ?? entity);
  });
}
