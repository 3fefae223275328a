/** Short enough to parse again with each event of a stream. */
const partLength = 2_000;

/**
 * Splits Markdown between blocks into parts that render one after another; fenced code is never split. While
 * the text grows, only the last part changes, so the others need no rendering.
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
