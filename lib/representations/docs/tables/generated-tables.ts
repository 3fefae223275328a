import type { BlockContent } from 'mdast';
import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { errorStatuses } from '#lib/http/errors/errors.ts';
import { code, joinPhrases, link, type Phrase, table } from '../../markdown/nodes.ts';
import { exampleQuestions } from '../../mcp/example-questions.ts';
import { tools } from '../../mcp/tools/tools.ts';
import type { Reference } from '../../openapi/reference.ts';
import { parsePhrases } from '../fill-template.ts';
import { type AcceptRow, acceptCases, knownClients } from './accept-table.ts';
import { proxyErrors } from './proxy-errors.ts';
import { type ClientApi, testedClients } from './tested-clients.ts';

/** Tables of the documentation that are generated from the code, by placeholder name. */
export function toGeneratedTables(
  site: Site,
  reference: Reference,
): Readonly<Record<string, readonly BlockContent[]>> {
  return {
    'accept-clients': [toAcceptTable(knownClients, 'Client')],
    'accept-cases': [toAcceptTable(acceptCases, 'Case')],
    'api-codes': [toApiCodeTable(site)],
    'proxy-codes': [toProxyCodeTable(site)],
    'tested-clients': [toClientsTable()],
    operations: [toOperationsTable(site, reference)],
    'mcp-tools': [toToolsTable()],
    'mcp-questions': [toQuestionsTable()],
  };
}

const responseNames: Readonly<Record<AcceptRow['selects'], string>> = {
  html: 'HTML',
  markdown: 'Markdown',
  text: 'Plain text',
  json: '303 to JSON',
  none: '406',
};

function toAcceptTable(rows: readonly AcceptRow[], title: string): BlockContent {
  return table(
    [title, 'Accept', 'Response'],
    rows.map(({ client, accept, selects }) => [
      client,
      accept === null ? 'none' : code(accept),
      responseNames[selects],
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

const apiNames: Readonly<Record<ClientApi, string>> = {
  chat: 'Chat Completions',
  responses: 'Responses',
  messages: 'Messages',
};

/** Chat Completions are what other APIs are translated to. */
function toClientsTable(): BlockContent {
  const apis = Object.keys(apiNames) as ClientApi[];
  return table(
    ['Client', ...Object.values(apiNames), 'Translated'],
    testedClients.map((one) => [
      one.client,
      ...apis.map((api) => (one.apis.includes(api) ? 'yes' : '–')),
      one.apis.some((api) => api !== 'chat') ? 'yes' : '–',
    ]),
  );
}

function toOperationsTable(site: Site, { operations }: Reference): BlockContent {
  return table(
    ['Endpoint', 'Description'],
    operations.map(({ id, method, path, summary }) => [
      code(`${method} ${path}`),
      link(`${pageUrl(site, 'apiDocs')}#${id}`, summary),
    ]),
  );
}

function toToolsTable(): BlockContent {
  return table(
    ['Tool', 'Arguments', 'What it does'],
    tools.map(({ name, description, inputSchema }) => [
      code(name),
      joinPhrases(Object.keys(inputSchema.shape).map(code), ', '),
      parsePhrases(description),
    ]),
  );
}

function toQuestionsTable(): BlockContent {
  return table(
    ['Question', 'Tool', 'Arguments'],
    exampleQuestions.map(({ question, tool, arguments: input }) => [
      question,
      code(tool),
      code(JSON.stringify(input)),
    ]),
  );
}

function toCodeLink(site: Site, anchor: string): Phrase {
  const url = `${pageUrl(site, 'errorDocs')}#${anchor}`;
  return { type: 'link', url, children: [code(anchor)] };
}
