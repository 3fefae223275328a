import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readBlocks, readDocsText } from '../support/docs-texts.ts';
import { createTestBrowser } from '../support/members/test-browser.ts';
import { runInTerminal } from '../support/programs/terminal.ts';
import { findFreePort } from '../support/servers/free-port.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { agents, command, toPrompt } from './agents.ts';
import { startAgent, toProgramPath, writeCommand } from './start-agent.ts';

/**
 * `npm run test:agents:demo`: from a fresh demo to a file that Claude Code, Codex and opencode have written, by what a
 * person does: sign in, create a key, run the one command, paste the key. Then each that `/docs/agents` has a command
 * for adds the MCP server by it. `AGENTS_FOLDER` has the agents.
 */
const { AGENTS_FOLDER: folder = '.', HOME = '', PATH = '' } = process.env;
const root = resolve(import.meta.dirname, '../..');

const sessions = [
  {
    name: 'Claude Code',
    id: 'claude-code',
    args: [
      '-p',
      toPrompt(['Bash', { command, description: 'Makes a file' }]),
      '--dangerously-skip-permissions',
    ],
  },
  {
    name: 'Codex CLI',
    id: 'codex',
    args: [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      toPrompt(['exec_command', { cmd: command }]),
    ],
  },
  {
    name: 'opencode',
    id: 'opencode',
    args: ['run'],
    // As an argument it would be put into quotation marks.
    input: toPrompt(['bash', { command, description: 'Makes a file' }]),
  },
] as const;

async function main(): Promise<void> {
  using place = makeTemporaryFolder();
  const port = await findFreePort();
  const siteUrl = `http://localhost:${port}`;
  const demo = spawn(process.execPath, ['lib/cli/demo/demo.ts'], {
    cwd: root,
    env: {
      NODE_ENV: 'production',
      HOME,
      PATH,
      PORT: String(port),
      DATA_DIR: join(place.path, 'data'),
    },
    stdio: 'ignore',
  });
  try {
    while (!(await isReady(siteUrl))) await delay(200);
    for (const { name, id, args, ...others } of sessions) {
      const startedAt = performance.now();
      const [home, work] = ['home', 'work'].map((folder) => join(place.path, name, folder));
      for (const path of [home, work]) mkdirSync(path ?? '', { recursive: true });
      const environment = {
        HOME: home ?? '',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        IS_SANDBOX: '1',
      };
      const connected = await runInTerminal(`curl -fsS ${siteUrl}/connect/${id} | sh`, {
        environment: { ...environment, PATH },
        question: 'Your key',
        typed: await createKey(siteUrl, name),
      });
      const connectedSeconds = (performance.now() - startedAt) / 1000;
      const agent = agents.find((agent) => agent.name === name);
      if (agent === undefined) throw new TypeError(`There is no ${name}.`);
      if (!existsSync(toProgramPath(folder, agent.program))) {
        throw new Error(`Set AGENTS_FOLDER to a folder with the npm package ${agent.package}.`);
      }
      const programs = writeCommand(
        join(place.path, name),
        agent.command,
        toProgramPath(folder, agent.program),
      );
      const run = { script: agent.command, args, environment, ...others };
      const output = await startAgent(programs, run, work ?? '');
      const seconds = (performance.now() - startedAt) / 1000;
      const isMade = readMade(work ?? '') === 'made\n' && seconds < 60;
      const times = `connected after ${connectedSeconds.toFixed(1)} s, done after ${seconds.toFixed(1)} s`;
      report(`${name}: ${times}`, isMade, `${connected.output}${output.slice(-3000)}`);
      const adding = findAddingCommand(agent.command, siteUrl);
      if (adding === null) continue;
      const script = `${adding} && ${agent.command} mcp list`;
      const listed = await startAgent(programs, { script, args: [], environment }, work ?? '');
      const isAdded = listed.includes(`${siteUrl}/mcp`) && !/fail/i.test(listed);
      report(`${name}: ${adding}`, isAdded, listed);
    }
  } finally {
    demo.kill('SIGTERM');
    await once(demo, 'exit');
  }
}

function report(what: string, isPassed: boolean, output: string): void {
  process.stdout.write(`${isPassed ? 'passed' : 'failed'}, ${what}\n`);
  if (isPassed) return;
  process.stderr.write(`${output}\n`);
  process.exitCode = 1;
}

/** The command of `/docs/agents` that adds the MCP server to a program. */
function findAddingCommand(program: string, siteUrl: string): string | null {
  const blocks = readBlocks(readDocsText('agents'), 'sh');
  const block = blocks.find((text) => text.startsWith(`${program} mcp add `));
  return block?.trim().replaceAll('{{site.url}}', siteUrl) ?? null;
}

/** Signs in and creates a key. */
async function createKey(siteUrl: string, name: string): Promise<string> {
  const browser = createTestBrowser();
  const choice = await browser.open(`${siteUrl}/sign-in`);
  const account = await browser.submit(choice, choice.url, { person: 'ada' });
  const page = await browser.submit(account, '/account/keys', { name });
  return /mq_\w{49}/.exec(page.text)?.[0] ?? '';
}

async function isReady(siteUrl: string): Promise<boolean> {
  return fetch(`${siteUrl}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function readMade(work: string): string {
  try {
    return readFileSync(join(work, 'made.txt'), 'utf8');
  } catch {
    return '';
  }
}

await main();
