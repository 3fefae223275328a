import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestBrowser } from '../support/members/test-browser.ts';
import { findFreePort } from '../support/servers/free-port.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { agents, command, toPrompt } from './agents.ts';
import { startAgent, toProgramPath, writeCommand } from './start-agent.ts';

/**
 * `npm run test:agents:demo`: from a fresh demo to a file that Claude Code and Codex have written, by what a person
 * does: sign in, create a key, copy the configuration that the page shows, paste it. `AGENTS_FOLDER` has the agents.
 */
const { AGENTS_FOLDER: folder = '.', HOME = '', PATH = '' } = process.env;
const root = resolve(import.meta.dirname, '../..');

const sessions = [
  {
    name: 'Claude Code',
    args: [
      '-p',
      toPrompt(['Bash', { command, description: 'Makes a file' }]),
      '--dangerously-skip-permissions',
    ],
  },
  {
    name: 'Codex CLI',
    args: [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      toPrompt(['exec_command', { cmd: command }]),
    ],
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
    for (const { name, args } of sessions) {
      const startedAt = performance.now();
      const [home, work] = ['home', 'work'].map((folder) => join(place.path, name, folder));
      for (const path of [home, work]) mkdirSync(path ?? '', { recursive: true });
      const script = await copyConfiguration(siteUrl, name.replace(' CLI', ''));
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
      const environment = {
        HOME: home ?? '',
        CODEX_HOME: home ?? '',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        IS_SANDBOX: '1',
      };
      const output = await startAgent(programs, { script, args, environment }, work ?? '');
      const seconds = (performance.now() - startedAt) / 1000;
      const isMade = readMade(work ?? '') === 'made\n' && seconds < 60;
      process.stdout.write(`${name}: ${isMade ? 'passed' : 'failed'}, ${seconds.toFixed(1)} s\n`);
      if (isMade) continue;
      process.stderr.write(`${output.slice(-3000)}\n`);
      process.exitCode = 1;
    }
  } finally {
    demo.kill('SIGTERM');
    await once(demo, 'exit');
  }
}

/** Signs in, creates a key, and copies what the page shows to paste into a terminal. */
async function copyConfiguration(siteUrl: string, client: string): Promise<string> {
  const browser = createTestBrowser();
  const choice = await browser.open(`${siteUrl}/sign-in`);
  const account = await browser.submit(choice, choice.url, { person: 'ada' });
  const page = await browser.submit(account, '/account/keys', { name: client });
  const block = new RegExp(`${client}: Terminal[^]*?<code>([^]*?)</code>`).exec(page.text);
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
  return (block?.[1] ?? '').replaceAll(/&(#?\w+);/g, (all, name) => characters[name] ?? all);
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
