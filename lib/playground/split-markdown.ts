/** Parts are about this long: short enough to be parsed on each word of a stream. */
const partLength = 2_000;

/**
 * Cuts Markdown between its blocks into parts that can be shown one after the other. A fence is never cut,
 * however long it is. All parts but the last stay as they are while a text grows.
 */
export function splitMarkdown(markdown: string): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let length = 0;
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const [, marker] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === null && marker !== undefined) fence = marker;
    else if (fence !== null && marker?.startsWith(fence)) fence = null;
    part.push(line);
    length += line.length + 1;
    if (fence === null && length >= partLength && line.trim() === '') {
      parts.push(part.join('\n'));
      part = [];
      length = 0;
    }
  }
  return part.length > 0 ? [...parts, part.join('\n')] : parts;
}
