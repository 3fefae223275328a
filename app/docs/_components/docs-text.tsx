import type { Element } from 'hast';
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import type { RootContent } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import type { ComponentProps } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { highlightCode } from '#lib/representations/markdown/highlight-code.ts';
import { toPageTree } from '#lib/representations/markdown/to-page-tree.ts';
import { CodeBlock } from '../../_components/code-block.tsx';
import { ScrolledTable } from '../../_components/scrolled.tsx';

type DocsTextProps = Readonly<{
  nodes: readonly RootContent[];
  /** The site's public URL: links to it are made relative. */
  siteUrl: string;
}>;

const languageNames: Readonly<Record<string, string>> = {
  console: 'Terminal',
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
  toml: 'TOML',
  yaml: 'YAML',
  xml: 'XML',
};

type PreProps = ComponentProps<'pre'> & Readonly<{ node?: Element | undefined }>;

/** Renders Markdown of the docs. Wide code scrolls; tables are cards where they do not fit. */
export function DocsText({ nodes, siteUrl }: DocsTextProps) {
  const tree = toPageTree({ type: 'root', children: [...nodes] });
  const components = {
    a: ({ href = '', node: _, ...others }: ComponentProps<'a'> & { node?: unknown }) => (
      <a href={href.startsWith(`${siteUrl}/`) ? href.slice(siteUrl.length) : href} {...others} />
    ),
    pre: ({ node }: PreProps) => {
      const language = String(node?.properties.dataLanguage ?? 'text');
      const code = toNodeText(node);
      return (
        <CodeBlock title={languageNames[language] ?? 'Text'} code={code} language={language}>
          <HighlightedCode code={code} language={language} />
        </CodeBlock>
      );
    },
    table: ({ node: _, ...others }: ComponentProps<'table'> & { node?: unknown }) => (
      <ScrolledTable {...others} />
    ),
  };
  return toJsxRuntime(tree, { Fragment, jsx, jsxs, components, passNode: true });
}

type HighlightedCodeProps = Readonly<{ code: string; language: string }>;

/** Code with colours, as one piece of HTML: as elements, each word would be in the page a second time, for React. */
export function HighlightedCode({ code, language }: HighlightedCodeProps) {
  const html = highlightCode(code, language);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: `highlightCode` escapes the code
  return <code dangerouslySetInnerHTML={{ __html: html }} />;
}
