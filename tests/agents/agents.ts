import { join } from 'node:path';
import { findClient } from '#lib/representations/clients/clients.ts';

/** Where an agent runs, and what it uses. */
export type Place = Readonly<{
  siteUrl: string;
  key: string;
  model: string;
  /** An empty folder for its settings. */
  home: string;
  /** The folder in which it works: it has only a picture. */
  work: string;
}>;

export type Run = Readonly<{
  /** What the account page shows, to be pasted into a terminal: its last line is the program. */
  script: string;
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  /** For its standard input. */
  input?: string;
}>;

/** A coding agent from npm, and a session without a terminal. */
export type Agent = Readonly<{
  name: string;
  package: string;
  /** What the script calls it, and its program in `node_modules`. */
  command: string;
  program: string;
  model: string;
  /** The API that it calls. */
  path: '/chat/completions' | '/responses' | '/messages';
  /** Writes its settings; each run continues the session. */
  toRuns: (place: Place) => readonly Run[];
}>;

export const picture = 'pixel.png';
/** The files that each session makes. */
export const madeFiles = { 'made.txt': 'made\n', 'written.txt': 'by hand\n' } as const;

export const command = 'echo made > made.txt';
const patch = '*** Begin Patch\n*** Add File: written.txt\n+by hand\n*** End Patch\n';
const demoModel = 'lantern-demo/wick-3';

/** The model calls these tools one after another: see lib/demo/models/completion/script.ts. */
export function toPrompt(...calls: readonly (readonly [tool: string, input: unknown])[]): string {
  const lines = calls.map(([tool, input]) => `> ${tool} ${JSON.stringify(input)}`);
  return ['Run this.', ...lines].join('\n');
}

export const agents: readonly Agent[] = [
  {
    ...toCodex('Codex CLI', 'gpt-5.5'),
    toRuns(place) {
      const prompt = toPrompt(
        ['exec_command', { cmd: command }],
        ['apply_patch', patch],
        ['view_image', { path: join(place.work, picture) }],
      );
      // The second prompt is longer than this, so that the conversation is made shorter first.
      const limit = ['-c', 'model_auto_compact_token_limit=3000'];
      return [
        runCodex(place, ['exec'], prompt),
        runCodex(place, ['exec', 'resume', '--last', ...limit], toPrompt(['no_tool', {}])),
      ];
    },
  },
  {
    // Newer models bring their tools in an item, in namespaces, and run them from JavaScript.
    ...toCodex('Codex CLI, newer model', 'gpt-6-sol'),
    toRuns(place) {
      const path = JSON.stringify(join(place.work, picture));
      const prompt = toPrompt(
        ['exec', `text(await tools.exec_command({ cmd: ${JSON.stringify(command)} }));`],
        ['exec', `text(await tools.apply_patch(${JSON.stringify(patch)}));`],
        ['exec', `image(await tools.view_image({ path: ${path} }));`],
      );
      return [runCodex(place, ['exec'], prompt)];
    },
  },
  {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    command: 'claude',
    program: '@anthropic-ai/claude-code/cli-wrapper.cjs',
    model: demoModel,
    path: '/messages',
    toRuns({ siteUrl, key, model, home, work }) {
      const prompt = toPrompt(
        ['Bash', { command, description: 'Makes a file' }],
        ['Write', { file_path: join(work, 'written.txt'), content: 'by hand\n' }],
        ['Read', { file_path: join(work, picture) }],
      );
      const environment = {
        HOME: home,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        IS_SANDBOX: '1',
      };
      const script = toScript('claude-code', { siteUrl, key, model });
      return [{ script, args: ['-p', prompt, '--dangerously-skip-permissions'], environment }];
    },
  },
  toOpencode('opencode', '@ai-sdk/openai-compatible', '/chat/completions'),
  toOpencode('opencode by Responses', '@ai-sdk/openai', '/responses'),
];

function toCodex(name: string, model: string): Omit<Agent, 'toRuns'> {
  const program = '@openai/codex/bin/codex.js';
  return {
    name,
    package: '@openai/codex',
    command: 'codex',
    program,
    model,
    path: '/responses',
  };
}

function runCodex(
  { siteUrl, key, model, home }: Place,
  args: readonly string[],
  prompt: string,
): Run {
  const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  return {
    script: toScript('codex', { siteUrl, key, model }),
    args: [...args, ...flags, prompt],
    environment: { CODEX_HOME: home },
  };
}

/** The first block that the account page shows for a client. */
function toScript(id: string, { siteUrl, key, model }: Pick<Place, 'siteUrl' | 'key' | 'model'>) {
  const facts = { id: model, contextTokens: null, capabilities: ['vision', 'tools'] } as const;
  const [first] = findClient(id)?.toCode({ siteUrl, key, model: facts }) ?? [];
  if (first?.language !== 'sh') throw new TypeError(`${id} has no script.`);
  return first.code;
}

function toOpencode(name: string, npm: string, path: Agent['path']): Agent {
  return {
    name,
    path,
    package: 'opencode-ai',
    command: 'opencode',
    model: demoModel,
    program: `opencode-${process.platform}-${process.arch}/bin/opencode`,
    toRuns({ siteUrl, key, model, home, work }) {
      const script = toScript('opencode', { siteUrl, key, model });
      const prompt = toPrompt(
        ['bash', { command, description: 'Makes a file' }],
        ['write', { filePath: join(work, 'written.txt'), content: 'by hand\n' }],
        ['read', { filePath: join(work, picture) }],
      );
      return [
        {
          script: script.replace('@ai-sdk/openai-compatible', npm),
          args: ['run'],
          // As an argument it would be put into quotation marks.
          input: prompt,
          environment: { HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
        },
      ];
    },
  };
}
