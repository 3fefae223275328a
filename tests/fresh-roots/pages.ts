import { readBlocks, readDocsText } from '../support/docs-texts.ts';

export const siteUrl = 'https://localhost';

export function readCommands(page: string): readonly string[] {
  return readBlocks(readDocsText(`operate/${page}`), 'sh').map((block) =>
    block.replaceAll('https://events.example', siteUrl),
  );
}

export function readFile(page: string, language: string): string {
  const [text = ''] = readBlocks(readDocsText(`operate/${page}`), language);
  return text;
}

/** A command that appends lines to a file, as somebody does with an editor. */
export function append(text: string, file: string): string {
  return `cat >> ${file} <<'END OF FILE'\n${text.trimEnd()}\nEND OF FILE`;
}
