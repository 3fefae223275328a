import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startProxyServer, upstreamKinds } from '../support/servers/proxy-server.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { type Access, type Agent, agents } from './agents.ts';

/**
 * `npm run test:agents`: fetches coding agents from npm, lets each run a command through the proxy, in an
 * empty folder, against the demo's models, and prints a table. `AGENTS_FOLDER` keeps the packages.
 */
const model = 'lantern-demo/wick-3';
const withinMs = 120_000;

type Outcome = Readonly<{ agent: string; upstream: string; result: string; requests: string }>;

async function main(): Promise<void> {
  using packages = makeTemporaryFolder();
  const folder = process.env.AGENTS_FOLDER ?? packages.path;
  const missing = agents.filter(({ program }) => !existsSync(toPath(folder, program)));
  if (missing.length > 0) {
    const names = missing.map((agent) => agent.package);
    execFileSync('npm', ['install', '--no-save', '--prefix', folder, ...names], {
      stdio: 'inherit',
    });
  }
  const outcomes: Outcome[] = [];
  for (const upstream of upstreamKinds) {
    const server = await startProxyServer({ upstream });
    for (const agent of agents) {
      const before = server.models.stats().byPath;
      const result = await drive(agent, { siteUrl: server.url, key: server.key, model }, folder);
      const requests = describeRequests(before, server.models.stats().byPath);
      outcomes.push({ agent: agent.name, upstream, result, requests });
    }
    await server.stop();
  }
  console.table(outcomes);
  if (outcomes.some(({ result }) => result !== 'passed')) process.exitCode = 1;
}

/** Passed if the agent ran the command that the model asked for, and showed the model's last words. */
async function drive(agent: Agent, access: Access, folder: string): Promise<string> {
  using place = makeTemporaryFolder();
  const [home, work] = [join(place.path, 'home'), join(place.path, 'work')];
  for (const path of [home, work]) mkdirSync(path);
  const prompt = `Run this.\n${agent.toScript('echo made > made.txt')}`;
  const { args, environment, input } = agent.prepare(access, home, prompt);
  const program = toPath(folder, agent.program);
  const isScript = /\.c?js$/.test(program);
  const child = spawn(isScript ? process.execPath : program, isScript ? [program, ...args] : args, {
    cwd: work,
    env: { NODE_ENV: 'production', PATH: process.env.PATH, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: withinMs,
  });
  child.stdin.end(input);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  const isMade = existsSync(join(work, 'made.txt'));
  if (code === 0 && isMade && output.includes('The script is done')) return 'passed';
  process.stderr.write(`${agent.name}:\n${output.slice(-3000)}\n`);
  return isMade ? `exit ${code} without the last words` : `exit ${code} without the file`;
}

type Counts = Readonly<Record<string, number>>;

function describeRequests(before: Counts, after: Counts): string {
  return Object.entries(after)
    .map(([path, count]) => [path, count - (before[path] ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([path, count]) => `${count} × ${path}`)
    .join(', ');
}

function toPath(folder: string, program: string): string {
  return join(folder, 'node_modules', program);
}

await main();
