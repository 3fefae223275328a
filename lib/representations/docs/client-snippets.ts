import type { RootContent } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import type { Site } from '#lib/events/view/site-urls.ts';
import { loadDocsPage } from './pages.ts';

/** How one client is set up: the code of /docs/ai, with a key and a model filled in. */
export type ClientSnippet = Readonly<{
  /** For ids, such as `openai-js`. */
  id: string;
  title: string;
  blocks: readonly Readonly<{ language: string; code: string }>[];
}>;

/** Sections of /docs/ai in the order of the tabs, and how many of their code blocks are shown. */
const sections = [
  { id: 'curl', title: 'curl', heading: 'Send your first request', blocksMax: 1 },
  { id: 'openai-js', title: 'OpenAI SDK, JavaScript', heading: 'OpenAI SDK for JavaScript' },
  { id: 'openai-python', title: 'OpenAI SDK, Python', heading: 'OpenAI SDK for Python' },
  { id: 'ai-sdk', title: 'AI SDK', heading: 'AI SDK' },
  { id: 'codex', title: 'Codex', heading: 'Codex' },
  { id: 'claude-code', title: 'Claude Code', heading: 'Claude Code' },
  { id: 'opencode', title: 'opencode', heading: 'opencode' },
  { id: 'langchain', title: 'LangChain', heading: 'LangChain' },
] as const;

type SnippetOptions = Readonly<{ site: Site; key: string; model: string }>;

export function loadClientSnippets({ site, key, model }: SnippetOptions): ClientSnippet[] {
  const nodes = loadDocsPage('ai', site)?.tree.children ?? [];
  return sections.flatMap(({ id, title, heading, ...rest }) => {
    const codes = findCodes(nodes, heading).slice(0, 'blocksMax' in rest ? rest.blocksMax : 3);
    if (codes.length === 0) return [];
    const filled = codes.map(({ lang, value }) => ({
      language: lang ?? 'text',
      code: fillIn(value, key).replaceAll(/\bMODEL\b/g, () => model),
    }));
    // A file that names the variable needs it set.
    const isByName = filled.some(({ code }) => code.includes('MARQUEE_KEY'));
    const setting = { language: 'sh', code: `export MARQUEE_KEY=${key}` };
    return { id, title, blocks: isByName ? [setting, ...filled] : filled };
  });
}

function findCodes(nodes: readonly RootContent[], heading: string) {
  const start = nodes.findIndex((node) => node.type === 'heading' && toNodeText(node) === heading);
  if (start === -1) return [];
  const rest = nodes.slice(start + 1);
  const end = rest.findIndex(({ type }) => type === 'heading');
  return rest.slice(0, end === -1 ? rest.length : end).filter((node) => node.type === 'code');
}

/** The key itself where the documentation reads it from the environment. */
function fillIn(code: string, key: string): string {
  return code
    .replaceAll('process.env.MARQUEE_KEY', `'${key}'`)
    .replaceAll('os.environ["MARQUEE_KEY"]', `"${key}"`)
    .replaceAll('$MARQUEE_KEY', key)
    .replace(/^import os\n/, '');
}
