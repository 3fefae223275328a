import type { BlockContent, Root } from 'mdast';
import { toOneLine } from '#lib/events/view/clean-text.ts';
import { pageMarkdownUrl, pageUrl, type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import {
  type ListedModel,
  type ModelLists,
  noModelsMessages,
  toPriceInWords,
} from '#lib/playground/model-lists.ts';
import { code, heading, link, type Phrase, paragraph, root, table } from '../nodes.ts';
import { pageRepresentations } from '../representation-lines.ts';
import { writeFittingMarkdown } from '../write-markdown.ts';

/** The models of a site as a Markdown page: how to use them, then a table of each kind. */
export function toModelsMarkdown(lists: ModelLists, { site }: Readonly<{ site: Site }>): string {
  const sizeMax = lists.kind === 'listed' ? lists.language.length + lists.embedding.length : 0;
  return writeFittingMarkdown({ toTree: (rows) => toTree(lists, { site, rows }), sizeMax });
}

type TreeOptions = Readonly<{ site: Site; rows: number }>;

function toTree(lists: ModelLists, options: TreeOptions): Root {
  const { site } = options;
  return root(
    heading(1, 'Models'),
    pageRepresentations(site, '/models'),
    ...(lists.kind === 'listed'
      ? toSections(lists, options)
      : [paragraph(noModelsMessages[lists.kind])]),
    heading(2, 'How to use them'),
    paragraph(
      'Set the base address of any client of OpenAI to ',
      code(`${site.url}/proxy/v1`),
      ', and name a model by its id. A key is needed; whoever runs this site makes them. ',
      link(pageMarkdownUrl(site, 'aiDocs'), 'How to point your client here'),
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
      'Prices are in US dollars for a million tokens of input. See also: ',
      link(pageUrl(site, 'models'), 'the page with a playground'),
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
      : [table(['Id', 'Name', 'From', 'Reads, tokens', 'Price'], shown)]),
    ...(hidden > 0 ? [paragraph(`${hidden} more are in the JSON.`)] : []),
  ];
}

function toRow({ id, name, owner, contextTokens, priceIn }: ListedModel): Phrase[] {
  return [
    code(toOneLine(id)),
    toOneLine(name ?? ''),
    toOneLine(owner ?? ''),
    contextTokens === null ? '' : String(contextTokens),
    priceIn === null ? '' : toPriceInWords(priceIn),
  ];
}
