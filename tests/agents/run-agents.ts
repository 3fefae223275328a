import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseBudget } from '#lib/config/budget.ts';
import { imageUrl } from '../support/clients/client-fixtures.ts';
import {
  startInProcessProxy,
  type UpstreamKind,
  upstreamKey,
  upstreamKinds,
} from '../support/servers/in-process-proxy.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { type Agent, agents, madeFiles, picture } from './agents.ts';
import { type RecordedRequest, startRecorder } from './recorder.ts';
import { saveRecording } from './recordings.ts';
import { startAgent, toProgramPath, writeCommand } from './start-agent.ts';

/**
 * `npm run test:agents`: fetches coding agents from npm, lets each work with its tools through the proxy, in an
 * empty folder, against the demo's models, and prints a table. `AGENTS_FOLDER` keeps the packages; with
 * `--record` the requests become those that tests replay. Words of names choose some: `npm run test:agents -- codex`.
 */
const isRecording = process.argv.includes('--record');
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const chosen = agents.filter(({ name }) =>
  words.every((word) => name.toLowerCase().includes(word.toLowerCase())),
);

/** An upstream, and the key with which agents use it. */
type Case = Readonly<{ upstream: UpstreamKind; budget?: string; extras?: object }>;

const cases: readonly Case[] = [
  ...upstreamKinds.map((upstream) => ({ upstream })),
  { upstream: 'native', budget: '5 USD/day' },
  { upstream: 'native', budget: '5 USD/day', extras: { web_search: { perCall: 0.01 } } },
];

type Outcome = Readonly<{ agent: string; case: string; result: string; requests: string }>;

async function main(): Promise<void> {
  using packages = makeTemporaryFolder();
  const folder = process.env.AGENTS_FOLDER ?? packages.path;
  const missing = chosen.filter(({ program }) => !existsSync(toProgramPath(folder, program)));
  if (missing.length > 0) {
    const names = new Set(missing.map((agent) => agent.package));
    execFileSync('npm', ['install', '--no-save', '--prefix', folder, ...names], {
      stdio: 'inherit',
    });
  }
  const outcomes: Outcome[] = [];
  for (const setting of cases) {
    await using server = await startAgentsServer(setting, packages.path);
    await using recorder = await startRecorder(server.url);
    const { budget } = setting;
    const key =
      budget === undefined
        ? server.key
        : (await server.makeKey({ budget: parseBudget(budget) })).text;
    for (const agent of chosen) {
      recorder.recorded.length = 0;
      const access = { siteUrl: recorder.url, key };
      const result = await drive(agent, access, folder, recorder.recorded);
      if (isRecording && setting === cases[0]) saveRecording(agent, recorder.recorded);
      const requests = describeRequests(recorder.recorded);
      outcomes.push({ agent: agent.name, case: describeCase(setting), result, requests });
    }
  }
  console.table(outcomes);
  if (outcomes.some(({ result }) => result !== 'passed')) process.exitCode = 1;
}

function describeCase({ upstream, budget, extras }: Case): string {
  const search = extras === undefined ? 'without a price of searches' : 'with one';
  return budget === undefined ? upstream : `${upstream}, ${budget}, ${search}`;
}

/** The models that agents know get their names as aliases. */
function startAgentsServer({ upstream, extras = {} }: Case, folder: string) {
  const aliases = agents.map(({ model }) => model).filter((model) => !model.includes('/'));
  const protocols = upstream === 'native' ? ['chat', 'responses', 'messages'] : ['chat'];
  return startInProcessProxy({
    environment({ url }) {
      const file = join(folder, 'upstreams.json');
      const upstreams = [{ name: 'demo', url, keyEnv: 'TEST_UPSTREAM_KEY', protocols, extras }];
      const prices = { inputPerMillion: 1, outputPerMillion: 10 };
      const targets = [{ upstream: 'demo' }];
      const models = [{ id: 'lantern-demo/wick-3', aliases, targets, prices }];
      writeFileSync(file, JSON.stringify({ upstreams, models }));
      return {
        AI_UPSTREAM_URL: '',
        AI_UPSTREAM_KEY: '',
        AI_UPSTREAMS_FILE: file,
        TEST_UPSTREAM_KEY: upstreamKey,
      };
    },
  });
}

type Access = Readonly<{ siteUrl: string; key: string }>;

/** Passed if the agent used the tools as the model said, and showed the model's last words. */
async function drive(
  agent: Agent,
  access: Access,
  folder: string,
  recorded: readonly RecordedRequest[],
): Promise<string> {
  using place = makeTemporaryFolder();
  const [home, work] = [join(place.path, 'home'), join(place.path, 'work')];
  for (const path of [home, work]) mkdirSync(path);
  writeFileSync(join(work, picture), Buffer.from(imageUrl.split(',')[1] ?? '', 'base64'));
  const runs = agent.toRuns({ ...access, model: agent.model, home, work });
  const outputs: string[] = [];
  const programs = writeCommand(place.path, agent.command, toProgramPath(folder, agent.program));
  for (const run of runs) outputs.push(await startAgent(programs, run, work));
  const problems = [
    ...outputs
      .filter((output) => !output.includes('The script is done'))
      .map(() => 'no last words'),
    ...Object.entries(madeFiles)
      .filter(([name, text]) => readText(join(work, name)) !== text)
      .map(([name]) => `no ${name}`),
    ...(recorded.some(({ body }) => /image\/png/.test(JSON.stringify(body))) ? [] : ['no picture']),
    ...recorded
      .filter(({ status }) => status >= 400)
      .map(({ path, status }) => `${status} ${path}`),
  ];
  if (problems.length === 0) return 'passed';
  process.stderr.write(`${agent.name}:\n${outputs.join('\n').slice(-3000)}\n`);
  return [...new Set(problems)].join(', ');
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function describeRequests(recorded: readonly RecordedRequest[]): string {
  const counts = new Map<string, number>();
  for (const { method, path } of recorded) {
    const name = `${method} ${path}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ');
}

await main();
