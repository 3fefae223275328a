import {
  type CallToolResult,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { findEvent } from '#lib/events/source/snapshot.ts';
import { pageMarkdownUrl, pageUrl, type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import type { TakeTurn } from '#lib/http/client-turns.ts';
import { isHttpError, toHttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { mcpServerInfo } from '../discovery.ts';
import { docsNames } from '../docs/page-rows.ts';
import { loadDocsPage, toTextMarkdown } from '../docs/pages.ts';
import { toEventPageMarkdown } from '../markdown/pages/event.ts';
import type { Tool, ToolParts } from './tool.ts';
import { toLenientSchema } from './tool-arguments.ts';
import { tools } from './tools.ts';

export type McpParts = ToolParts & Readonly<{ log: Log; takeTurn: TakeTurn }>;

/** Lists change with a deploy only. */
const cacheHint = { ttlMs: 300_000, cacheScope: 'public' } as const;
const argumentValuesMax = 500;

/** A server with all tools and resources. The SDK wants a new one for each request. */
export function createMcpServer(parts: McpParts): McpServer {
  const { site } = parts;
  const server = new McpServer(
    {
      ...mcpServerInfo,
      title: site.name,
      websiteUrl: pageUrl(site, 'directory'),
    },
    {
      instructions: `${site.name} is a directory of events for people who make things. Use \`search\` for a question or for words, \`list_events\` for dates, status, format, places, organizers or project types, \`get_event\` or \`fetch\` for one event, and \`list_changes\` for what has changed. Results say today’s date. Dates are calendar days, \`YYYY-MM-DD\`; \`startsAt\` and \`endsAt\` are moments, or null if the time is unknown. Everything is read-only and at most five minutes old. Cite the page of an event: ${site.url}/events/{slug}.${toNoticeText(site)}`,
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      cacheHints: {
        'tools/list': cacheHint,
        'resources/list': cacheHint,
        'resources/templates/list': cacheHint,
        'server/discover': cacheHint,
      },
      maxToolInputElements: argumentValuesMax,
    },
  );
  for (const tool of tools) registerTool(server, tool, parts);
  registerResources(server, parts);
  return server;
}

/** What the operator has to say, as a sentence at the end. */
function toNoticeText({ notice = null }: Site): string {
  if (notice === null) return '';
  const { text, url, until } = notice;
  const when = until === null ? '' : ` until ${until}`;
  return ` A notice of the site${when}: ${text}${url === null ? '' : ` (${url})`}`;
}

const ignoredArguments = z.array(z.string()).optional().meta({
  description: 'Arguments of the call that the tool does not have. They changed nothing.',
});

function registerTool(server: McpServer, tool: Tool, parts: McpParts): void {
  const { name, title, description, run } = tool;
  const inputSchema = toLenientSchema(tool);
  const outputSchema = tool.outputSchema.extend({ ignoredArguments });
  const annotations = {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  const config = { title, description, inputSchema, outputSchema, annotations };
  server.registerTool(name, config, async ({ input, ignored }): Promise<CallToolResult> => {
    try {
      const output = await run(input, parts);
      const structuredContent =
        ignored.length === 0 ? output : { ...output, ignoredArguments: ignored };
      // Clients before structured content read the text.
      return {
        structuredContent,
        content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      };
    } catch (thrown) {
      return { isError: true, content: [{ type: 'text', text: toErrorText(thrown, name, parts) }] };
    }
  });
}

// A model reads the hint and corrects its arguments. Nothing of an unknown error is public.
function toErrorText(thrown: unknown, tool: string, { log }: McpParts): string {
  const { status, code, reason, message, hint } = toHttpError(thrown);
  if (!isHttpError(thrown)) log.error({ tool, code, err: thrown }, message);
  else if (status >= 500) log.warn({ tool, code, reason }, message);
  return hint === undefined ? message : `${message} ${hint}`;
}

/** Texts that a client may load into a model's context: the documentation, and events. A URI is the public URL. */
function registerResources(server: McpServer, { site, events }: McpParts): void {
  const mimeType = 'text/markdown';
  for (const docsName of docsNames) {
    const page = loadDocsPage(docsName, site);
    if (page === undefined) continue;
    const { path, title, description } = page;
    const uri = path === '/docs' ? pageMarkdownUrl(site, 'docs') : `${toPageUrl(site, path)}.md`;
    server.registerResource(
      path.slice(1),
      uri,
      { title, description, mimeType, cacheHint },
      () => ({
        contents: [{ uri, mimeType, text: toTextMarkdown(page, site) }],
      }),
    );
  }
  const uriTemplate = `${site.url}/events/{slug}.md`;
  const template = new ResourceTemplate(uriTemplate, { list: undefined });
  const config = { title: 'Event', description: 'The page of an event as Markdown.', mimeType };
  server.registerResource('events', template, config, async ({ href }, { slug }) => {
    const snapshot = await events.current().catch((thrown: unknown) => {
      throw toHttpError(thrown);
    });
    const event = findEvent(snapshot, String(slug));
    if (event === undefined) throw new ResourceNotFoundError(href);
    const text = toEventPageMarkdown(event, { site, snapshot });
    return { contents: [{ uri: href, mimeType, text }] };
  });
}
