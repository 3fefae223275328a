import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { tools } from '#lib/representations/mcp/tools.ts';

/**
 * Uses the MCP endpoint through the CLI of the official inspector, which npx fetches: 110 MB would be much for a
 * development dependency. `npm run test:inspector -- URL`; the default is a demo on port 3000.
 */
const [url = 'http://localhost:3000/mcp'] = process.argv.slice(2);

function inspect(...options: string[]): unknown {
  const output = execFileSync(
    'npx',
    [
      '--yes',
      '@modelcontextprotocol/inspector@2.12.0',
      '--cli',
      '--transport',
      'http',
      '--server-url',
      url,
      ...options,
    ],
    { encoding: 'utf8', stdio: 'pipe' },
  );
  return JSON.parse(output);
}

const named = z.object({ name: z.string() });
// `--strict` fails if a schema would not work in every client.
const listed = z
  .object({ tools: z.array(named) })
  .parse(inspect('--method', 'tools/list', '--strict'));
const names = listed.tools.map(({ name }) => name);
const expected = tools.map(({ name }) => name);
if (names.join() !== expected.join()) throw new Error(`It lists ${names.join(', ')}.`);

const call = ['--method', 'tools/call', '--tool-name', 'list_events'];
const events = z
  .object({ structuredContent: z.object({ data: z.array(named).length(2) }) })
  .parse(inspect(...call, '--tool-arg', 'limit=2', 'status=["upcoming"]'));
const resources = z
  .object({ resources: z.array(named).min(5) })
  .parse(inspect('--method', 'resources/list'));
console.log(
  `${names.length} tools, ${resources.resources.length} resources; next: ${events.structuredContent.data[1]?.name}`,
);
