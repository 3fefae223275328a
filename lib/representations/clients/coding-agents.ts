import {
  type Client,
  canDo,
  quoteForShell,
  type Setup,
  toJsonText,
  toKeyVariable,
  toShellKey,
  toTerminal,
  toTokenBounds,
} from './client.ts';

/** Claude Code assumes this much of a model that it does not know. */
const claudeCodeContextTokens = 200_000;

/** Versions of Claude Code that are started first want a sign-in at Anthropic, also with a key. */
const claudeCodeState = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell fills it in.
  'state=${CLAUDE_CONFIG_DIR:-$HOME}/.claude.json',
  `[ -e "$state" ] || echo '{"hasCompletedOnboarding": true}' >"$state"`,
].join('; ');

/** What a script sends before it changes the settings. */
const testPrompt = 'Say hello.';
const testTokens = 16;

/** Agents that work in a terminal. */
export const codingAgents: readonly Client[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    isAgent: true,
    madeFor: /^(?:claude|anthropic)/,
    toCode(setup) {
      const id = quoteForShell(setup.model.id);
      return [toTerminal(toClaudeCodeVariables(setup, id), 'claude')];
    },
    toConnection: (setup) => ({
      file: { variable: 'CLAUDE_CONFIG_DIR', folder: '.claude', name: 'settings.json' },
      request: {
        path: 'messages',
        body: {
          model: setup.model.id,
          max_tokens: testTokens,
          messages: [{ role: 'user', content: testPrompt }],
        },
      },
      settings: {
        env: {
          ...toClaudeCodeVariables(setup, setup.model.id),
          CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(
            Math.min(setup.model.contextTokens ?? claudeCodeContextTokens, claudeCodeContextTokens),
          ),
        },
      },
      after: claudeCodeState,
    }),
  },
  {
    id: 'codex',
    title: 'Codex',
    isAgent: true,
    toCode(setup) {
      const settings = toCodexSettings(setup);
      const provider = { ...toCodexProvider(setup), env_key: 'MARQUEE_KEY' };
      const options = [
        ...toTomlLines(settings),
        `model_providers.marquee={${toTomlLines(provider).join(',')}}`,
      ];
      const flags = options.map((option) => ` \\\n  -c ${quoteForShell(option)}`).join('');
      return [
        toTerminal(toKeyVariable(setup), `codex${flags}`),
        {
          title: '~/.codex/config.toml',
          language: 'toml',
          code: [
            ...toTomlLines(settings, ' = '),
            '',
            codexTable,
            ...toTomlLines(provider, ' = '),
          ].join('\n'),
        },
      ];
    },
    toConnection: (setup) => ({
      file: { variable: 'CODEX_HOME', folder: '.codex', name: 'config.toml' },
      request: {
        path: 'responses',
        body: { model: setup.model.id, max_output_tokens: testTokens, input: testPrompt },
      },
      settings: {
        top: toTomlLines(toCodexSettings(setup), ' = '),
        table: [codexTable, ...toTomlLines(toCodexProvider(setup), ' = ')],
      },
      after: `echo ${quoteForShell(aboutCodexSearch)}`,
    }),
  },
  {
    id: 'opencode',
    title: 'opencode',
    isAgent: true,
    toCode(setup) {
      const file = toOpencodeSettings(setup, '{env:MARQUEE_KEY}');
      const variables = {
        ...toKeyVariable(setup),
        OPENCODE_CONFIG_CONTENT: quoteForShell(JSON.stringify(file)),
      };
      return [
        toTerminal(variables, 'opencode'),
        { title: 'opencode.json', language: 'json', code: toJsonText(file) },
      ];
    },
    toConnection: (setup) => ({
      file: { variable: 'XDG_CONFIG_HOME', folder: '.config', name: 'opencode/opencode.json' },
      request: {
        path: 'chat/completions',
        body: {
          model: setup.model.id,
          max_tokens: testTokens,
          messages: [{ role: 'user', content: testPrompt }],
        },
      },
      settings: toOpencodeSettings(setup, setup.key ?? ''),
    }),
  },
  {
    id: 'copilot-cli',
    title: 'Copilot CLI',
    isAgent: true,
    toCode(setup) {
      const { context, output } = toTokenBounds(setup.model);
      const variables = {
        COPILOT_PROVIDER_BASE_URL: `${setup.siteUrl}/proxy/v1`,
        COPILOT_PROVIDER_API_KEY: toShellKey(setup),
        COPILOT_MODEL: quoteForShell(setup.model.id),
        COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(context - output),
        COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: String(output),
      };
      return [toTerminal(variables, 'copilot')];
    },
  },
  {
    id: 'qwen-code',
    title: 'Qwen Code',
    isAgent: true,
    madeFor: /qwen/,
    toCode(setup) {
      const variables = {
        OPENAI_BASE_URL: `${setup.siteUrl}/proxy/v1`,
        OPENAI_API_KEY: toShellKey(setup),
        OPENAI_MODEL: quoteForShell(setup.model.id),
      };
      return [toTerminal(variables, 'qwen --auth-type openai')];
    },
  },
];

function toClaudeCodeVariables(setup: Setup, id: string): Readonly<Record<string, string>> {
  const { contextTokens } = setup.model;
  const isSmall = contextTokens !== null && contextTokens < claudeCodeContextTokens;
  return {
    ANTHROPIC_BASE_URL: `${setup.siteUrl}/proxy`,
    ANTHROPIC_AUTH_TOKEN: toShellKey(setup),
    ANTHROPIC_MODEL: id,
    // For titles and summaries.
    ANTHROPIC_DEFAULT_HAIKU_MODEL: id,
    // `/model` lists the models of this site whose ids begin with claude or anthropic.
    CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
    ...(isSmall && { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(contextTokens) }),
  };
}

/** What a script says of it. */
const aboutCodexSearch =
  'Web search: on if the service has it; web_search = "disabled" in the settings turns it off. With a budget in dollars it is on only if this site has a price for it.';

const codexTable = '[model_providers.marquee]';

function toCodexProvider({ siteUrl }: Setup) {
  return { name: 'Marquee', base_url: `${siteUrl}/proxy/v1`, wire_api: 'responses' };
}

function toCodexSettings({ model: { id, contextTokens } }: Setup) {
  return {
    model: id,
    model_provider: 'marquee',
    ...(contextTokens !== null && { model_context_window: contextTokens }),
  };
}

function toOpencodeSettings({ siteUrl, model }: Setup, apiKey: string) {
  const { context, output } = toTokenBounds(model);
  const hasVision = canDo(model, 'vision');
  return {
    $schema: 'https://opencode.ai/config.json',
    model: `marquee/${model.id}`,
    small_model: `marquee/${model.id}`,
    provider: {
      marquee: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Marquee',
        options: { baseURL: `${siteUrl}/proxy/v1`, apiKey },
        models: {
          [model.id]: {
            name: model.id,
            limit: { context, output },
            tool_call: true,
            reasoning: canDo(model, 'reasoning'),
            attachment: hasVision,
            modalities: { input: hasVision ? ['text', 'image'] : ['text'], output: ['text'] },
          },
        },
      },
    },
  };
}

/** A JSON string is a basic string of TOML. */
function toTomlLines(values: Readonly<Record<string, string | number>>, equals = '='): string[] {
  return Object.entries(values).map(([name, value]) => `${name}${equals}${JSON.stringify(value)}`);
}
