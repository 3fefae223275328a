import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Access = Readonly<{ siteUrl: string; key: string; model: string }>;

export type Run = Readonly<{
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  /** For its standard input. */
  input?: string;
}>;

/** A coding agent from npm, and how it is run without a terminal. */
export type Agent = Readonly<{
  name: string;
  package: string;
  /** Its program in `node_modules`. */
  program: string;
  /** The tool that runs a command, as a line of the demo's script: see lib/demo/models/script.ts. */
  toScript: (command: string) => string;
  /** Writes its settings into a folder of its own. */
  prepare: (access: Access, home: string, prompt: string) => Run;
}>;

export const agents: readonly Agent[] = [
  {
    name: 'Codex CLI',
    package: '@openai/codex',
    program: '@openai/codex/bin/codex.js',
    toScript: (cmd) => `> exec_command ${JSON.stringify({ cmd })}`,
    prepare({ siteUrl, key, model }, home, prompt) {
      writeFileSync(
        join(home, 'config.toml'),
        [
          `model = "${model}"`,
          'model_provider = "marquee"',
          '[model_providers.marquee]',
          'name = "Marquee"',
          `base_url = "${siteUrl}/proxy/v1"`,
          'env_key = "MARQUEE_KEY"',
          'wire_api = "responses"',
        ].join('\n'),
      );
      const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
      return {
        args: ['exec', ...flags, prompt],
        environment: { CODEX_HOME: home, MARQUEE_KEY: key },
      };
    },
  },
  {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    program: '@anthropic-ai/claude-code/cli-wrapper.cjs',
    toScript: (command) => `> Bash ${JSON.stringify({ command, description: 'Makes a file' })}`,
    prepare({ siteUrl, key, model }, home, prompt) {
      return {
        args: ['-p', prompt, '--dangerously-skip-permissions'],
        environment: {
          HOME: home,
          ANTHROPIC_BASE_URL: `${siteUrl}/proxy`,
          ANTHROPIC_AUTH_TOKEN: key,
          ANTHROPIC_MODEL: model,
          ANTHROPIC_SMALL_FAST_MODEL: model,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          IS_SANDBOX: '1',
        },
      };
    },
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    program: `opencode-${process.platform}-${process.arch}/bin/opencode`,
    toScript: (command) => `> bash ${JSON.stringify({ command, description: 'Makes a file' })}`,
    prepare({ siteUrl, key, model }, home, prompt) {
      const provider = {
        npm: '@ai-sdk/openai-compatible',
        name: 'Marquee',
        options: { baseURL: `${siteUrl}/proxy/v1`, apiKey: key },
        models: { [model]: {} },
      };
      const folder = join(home, '.config', 'opencode');
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, 'opencode.json'),
        JSON.stringify({ provider: { marquee: provider } }),
      );
      return {
        args: ['run', '-m', `marquee/${model}`],
        // As an argument it would be put into quotation marks.
        input: prompt,
        environment: { HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
      };
    },
  },
];
