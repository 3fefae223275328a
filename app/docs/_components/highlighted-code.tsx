import { highlightCode } from '#lib/representations/markdown/highlight-code.ts';

type HighlightedCodeProps = Readonly<{ code: string; language: string }>;

/** Code with colours, as one piece of HTML: as elements, each word would be in the page a second time, for React. */
export function HighlightedCode({ code, language }: HighlightedCodeProps) {
  const html = highlightCode(code, language);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the code is escaped
  return <code dangerouslySetInnerHTML={{ __html: html }} />;
}
