import type { BlockContent } from 'mdast';
import { endpoints, toShownPath } from '#lib/ai-proxy/endpoints.ts';
import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { errorStatuses } from '#lib/http/errors/errors.ts';
import { code, joinPhrases, link, type Phrase, table } from '../markdown/nodes.ts';
import { listExampleQuestions } from '../mcp/example-questions.ts';
import { tools } from '../mcp/tools.ts';
import type { Reference } from '../openapi/reference.ts';
import { type AcceptRow, acceptCases, knownClients } from './accept-rows.ts';
import { parsePhrases, type TemplateBlocks } from './fill-template.ts';

/** Tables of the documentation that are generated from the code. @param today `YYYY-MM-DD` */
export function toGeneratedTables(site: Site, reference: Reference, today: string): TemplateBlocks {
  return {
    'accept-clients': () => [toAcceptTable(knownClients, 'Client')],
    'accept-cases': () => [toAcceptTable(acceptCases, 'Case')],
    'api-codes': () => [toApiCodeTable(site)],
    'proxy-codes': () => [toProxyCodeTable(site)],
    'tested-clients': () => [toClientsTable()],
    operations: () => [toOperationsTable(site, reference)],
    'proxy-operations': () => [toProxyOperationsTable()],
    'mcp-tools': () => [toToolsTable()],
    'mcp-questions': () => [toQuestionsTable(today)],
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
    testedClients.map((client) => [
      client.client,
      ...apis.map((api) => (client.apis.includes(api) ? 'yes' : '–')),
      client.apis.some((api) => api !== 'chat') ? 'yes' : '–',
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

function toProxyOperationsTable(): BlockContent {
  return table(
    ['Endpoint', 'What it does', 'API key'],
    endpoints.map((row) => [
      code(`${row.method} ${toShownPath(row)}`),
      row.summary,
      row.isOpen ? 'no' : 'yes',
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

function toQuestionsTable(today: string): BlockContent {
  return table(
    ['Question', 'Tool', 'Arguments'],
    listExampleQuestions(today).map(({ question, tool, arguments: input }) => [
      question,
      code(tool),
      code(JSON.stringify(input)),
    ]),
  );
}

function toCodeLink(site: Site, anchor: string): Phrase {
  return link(`${pageUrl(site, 'errorDocs')}#${anchor}`, code(anchor));
}

/** An error of the AI proxy as the documentation lists it. `errors.md` describes it. */
type ProxyErrorRow = Readonly<{
  /** One HTTP status, or several with commas. */
  status: string;
  type: string;
  /** null: identified by its type only, which is also the anchor of its section. */
  code: string | null;
}>;

const invalid = 'invalid_request_error';

/** Every error of the AI proxy, ordered by status. */
export const proxyErrors: readonly ProxyErrorRow[] = [
  { status: '400, 422', type: invalid, code: null },
  { status: '400', type: invalid, code: 'invalid_json' },
  { status: '400', type: invalid, code: 'unsupported_parameter' },
  { status: '400', type: invalid, code: 'context_length_exceeded' },
  { status: '400', type: invalid, code: 'content_filter' },
  { status: '400', type: invalid, code: 'cyber_policy' },
  { status: '401', type: invalid, code: 'invalid_api_key' },
  { status: '402', type: 'insufficient_quota', code: 'insufficient_quota' },
  { status: '403', type: 'permission_error', code: 'model_not_allowed' },
  { status: '403', type: 'permission_error', code: 'model_without_price' },
  { status: '404', type: invalid, code: 'model_not_found' },
  { status: '404', type: invalid, code: 'unknown_url' },
  { status: '405', type: invalid, code: 'method_not_allowed' },
  { status: '413', type: invalid, code: 'request_too_large' },
  { status: '415', type: invalid, code: 'unsupported_media_type' },
  { status: '426', type: invalid, code: 'upgrade_required' },
  { status: '429', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  { status: '500', type: 'server_error', code: 'server_misconfigured' },
  { status: '500', type: 'server_error', code: 'internal_error' },
  { status: '502', type: 'server_error', code: 'upstream_error' },
  { status: '503', type: 'server_error', code: 'server_is_overloaded' },
  { status: '504', type: 'server_error', code: 'upstream_timeout' },
];

/** The APIs that clients call. */
type ClientApi = 'chat' | 'responses' | 'messages';

type TestedClient = Readonly<{ client: string; apis: readonly ClientApi[] }>;

/** The documentation shows this table, and a test runs each client with each of its APIs. */
export const testedClients: readonly TestedClient[] = [
  { client: 'OpenAI SDK', apis: ['chat', 'responses'] },
  { client: 'OpenAI Agents SDK', apis: ['chat', 'responses'] },
  { client: 'LangChain', apis: ['chat', 'responses'] },
  { client: 'AI SDK, OpenAI provider', apis: ['chat', 'responses'] },
  { client: 'AI SDK, OpenAI-compatible provider', apis: ['chat'] },
  { client: 'AI SDK, OpenRouter provider', apis: ['chat'] },
  { client: 'AI SDK, Anthropic provider', apis: ['messages'] },
  { client: 'OpenRouter SDK', apis: ['chat', 'responses'] },
  { client: 'Anthropic SDK', apis: ['messages'] },
  { client: 'Codex CLI', apis: ['responses'] },
  { client: 'Claude Code', apis: ['messages'] },
  { client: 'opencode', apis: ['chat', 'responses'] },
];
