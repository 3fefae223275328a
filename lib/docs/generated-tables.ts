import type { BlockContent } from 'mdast';
import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { errorStatuses } from '#lib/http/errors.ts';
import { code, link, type Phrase, table } from '#lib/markdown/nodes.ts';
import type { Reference } from '#lib/openapi/reference.ts';
import { type AcceptRow, acceptCases, knownClients } from './accept-table.ts';
import { proxyErrors } from './proxy-errors.ts';

/** The tables of the documentation that are made from what the program itself goes by. */
export function toBlocks(
  site: Site,
  reference: Reference,
): Readonly<Record<string, readonly BlockContent[]>> {
  return {
    'accept-clients': [toAcceptTable(knownClients, 'Client')],
    'accept-cases': [toAcceptTable(acceptCases, 'What is wanted')],
    'api-codes': [toApiCodeTable(site)],
    'proxy-codes': [toProxyCodeTable(site)],
    operations: [toOperationsTable(site, reference)],
  };
}

const formWords: Readonly<Record<AcceptRow['form'], string>> = {
  html: 'HTML',
  markdown: 'Markdown',
  none: '406',
};

function toAcceptTable(rows: readonly AcceptRow[], title: string): BlockContent {
  return table(
    [title, 'Accept', 'Gets'],
    rows.map(({ client, accept, form }) => [
      client,
      accept === null ? 'none' : code(accept),
      formWords[form],
    ]),
  );
}

function toApiCodeTable(site: Site): BlockContent {
  return table(
    ['Status', 'Code'],
    Object.entries(errorStatuses).map(([name, status]) => [String(status), toCodeLink(site, name)]),
  );
}

function toProxyCodeTable(site: Site): BlockContent {
  return table(
    ['Status', 'Type', 'Code'],
    proxyErrors.map(({ status, type, code: name }) => [
      status,
      name === null ? toCodeLink(site, type) : code(type),
      name === null ? code('null') : toCodeLink(site, name),
    ]),
  );
}

function toOperationsTable(site: Site, { operations }: Reference): BlockContent {
  return table(
    ['Address', 'What it is'],
    operations.map(({ id, method, path, summary }) => [
      code(`${method} ${path}`),
      link(`${pageUrl(site, 'apiDocs')}#${id}`, summary),
    ]),
  );
}

function toCodeLink(site: Site, anchor: string): Phrase {
  const url = `${pageUrl(site, 'errorDocs')}#${anchor}`;
  return { type: 'link', url, children: [code(anchor)] };
}
