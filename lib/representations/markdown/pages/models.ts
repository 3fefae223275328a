import type { BlockContent, Root } from 'mdast';
import { pageMarkdownUrl, pageUrl, type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import { toOneLine } from '#lib/events/words/clean-text.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import {
  type ListedModel,
  type ModelLists,
  noModelsMessages,
  toPricesInWords,
} from '../../listed-models.ts';
import { toPageLinks } from '../alternate-links.ts';
import { code, heading, link, type Phrase, paragraph, root, table } from '../nodes.ts';
import { pageRowsMax, writeFittingMarkdown } from '../write-markdown.ts';

/** The AI models as a Markdown page: a table of each kind, then how to use them. */
export function toModelsMarkdown(lists: ModelLists, { site }: Readonly<{ site: Site }>): string {
  const count = lists.kind === 'listed' ? lists.language.length + lists.embedding.length : 0;
  const sizeMax = Math.min(count, pageRowsMax);
  return writeFittingMarkdown({ toTree: (rows) => toTree(lists, { site, rows }), sizeMax });
}

type TreeOptions = Readonly<{ site: Site; rows: number }>;

function toTree(lists: ModelLists, options: TreeOptions): Root {
  const { site } = options;
  return root(
    heading(1, 'AI models'),
    toPageLinks(site, '/models'),
    ...(lists.kind === 'listed'
      ? toSections(lists, options)
      : [paragraph(noModelsMessages[lists.kind])]),
    heading(2, 'How to use them'),
    paragraph(
      'Set the base URL of any OpenAI client to ',
      code(`${site.url}/proxy/v1`),
      ', and set ',
      code('model'),
      ' to the id of a model. ',
      link(pageMarkdownUrl(site, 'aiDocs'), 'How to get an API key and configure your client'),
      '.',
    ),
  );
}

function toSections(
  { language, embedding }: Extract<ModelLists, { kind: 'listed' }>,
  { site, rows }: TreeOptions,
): BlockContent[] {
  const embeddingRows = Math.min(embedding.length, Math.ceil(rows / 4));
  return [
    paragraph(`${language.length} language models, ${embedding.length} embedding models.`),
    ...toSection('Language models', {
      models: language,
      rows: rows - embeddingRows,
      jsonUrl: toPageUrl(site, '/proxy/v1/models'),
    }),
    ...toSection('Embedding models', {
      models: embedding,
      rows: embeddingRows,
      jsonUrl: toPageUrl(site, '/proxy/v1/embeddings/models'),
    }),
    paragraph(
      'Prices are in US dollars. See also: ',
      link(pageUrl(site, 'models'), 'the playground'),
      '.',
    ),
  ];
}

type Section = Readonly<{ models: readonly ListedModel[]; rows: number; jsonUrl: string }>;

function toSection(title: string, { models, rows, jsonUrl }: Section): BlockContent[] {
  const shown = models.slice(0, rows).map(toRow);
  const hidden = models.length - shown.length;
  return [
    heading(2, title),
    paragraph('As JSON: ', link(jsonUrl, jsonUrl)),
    ...(shown.length === 0
      ? [paragraph('None.')]
      : [table(['Id', 'Name', 'From', 'Context, tokens', pricesTitle, 'Can'], shown)]),
    ...(hidden > 0 ? [paragraph(`${formatCount(hidden)} more are in the JSON.`)] : []),
  ];
}

const pricesTitle = 'Per 1M tokens: in / out';

function toRow(model: ListedModel): Phrase[] {
  const { id, name, owner, contextTokens, capabilities } = model;
  return [
    code(toOneLine(id)),
    toOneLine(name ?? ''),
    toOneLine(owner ?? ''),
    contextTokens === null ? '' : String(contextTokens),
    toPricesInWords(model) ?? '',
    capabilities.join(', '),
  ];
}
