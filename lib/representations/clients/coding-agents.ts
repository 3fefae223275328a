import {
  type Client,
  canDo,
  isKnownToDo,
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

/** Agents that work in a terminal. */
export const codingAgents: readonly Client[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    isAgent: true,
    madeFor: /^(?:claude|anthropic)/,
    toCode(setup) {
      const { siteUrl, model } = setup;
      const { contextTokens } = model;
      const id = quoteForShell(model.id);
      const isSmall = contextTokens !== null && contextTokens < claudeCodeContextTokens;
      const variables = {
        ANTHROPIC_BASE_URL: `${siteUrl}/proxy`,
        ANTHROPIC_AUTH_TOKEN: toShellKey(setup),
        ANTHROPIC_MODEL: id,
        // For titles and summaries.
        ANTHROPIC_DEFAULT_HAIKU_MODEL: id,
        // `/model` lists the models of this site whose ids begin with claude or anthropic.
        CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
        ...(isSmall && { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(contextTokens) }),
      };
      return [toTerminal(variables, 'claude')];
    },
  },
  {
    id: 'codex',
    title: 'Codex',
    isAgent: true,
    toCode(setup) {
      const { siteUrl, model } = setup;
      const provider = {
        name: 'Marquee',
        base_url: `${siteUrl}/proxy/v1`,
        env_key: 'MARQUEE_KEY',
        wire_api: 'responses',
      };
      const settings = {
        model: model.id,
        model_provider: 'marquee',
        ...(model.contextTokens !== null && { model_context_window: model.contextTokens }),
      };
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
            '[model_providers.marquee]',
            ...toTomlLines(provider, ' = '),
          ].join('\n'),
        },
      ];
    },
  },
  {
    id: 'opencode',
    title: 'opencode',
    isAgent: true,
    toCode(setup) {
      const file = toOpencodeSettings(setup);
      const variables = {
        ...toKeyVariable(setup),
        OPENCODE_CONFIG_CONTENT: quoteForShell(JSON.stringify(file)),
      };
      return [
        toTerminal(variables, 'opencode'),
        { title: 'opencode.json', language: 'json', code: toJsonText(file) },
      ];
    },
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

function toOpencodeSettings({ siteUrl, model }: Setup) {
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
        options: { baseURL: `${siteUrl}/proxy/v1`, apiKey: '{env:MARQUEE_KEY}' },
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

/** Editors with an agent. */
export const editors: readonly Client[] = [
  {
    id: 'vs-code',
    title: 'VS Code',
    isAgent: true,
    toCode({ siteUrl, key, model }) {
      const { context, output } = toTokenBounds(model);
      const settings = [
        {
          name: 'Marquee',
          vendor: 'customendpoint',
          apiKey: key ?? 'YOUR_KEY',
          apiType: 'responses',
          models: [
            {
              id: model.id,
              name: model.id,
              url: `${siteUrl}/proxy/v1/responses`,
              toolCalling: true,
              vision: isKnownToDo(model, 'vision'),
              thinking: isKnownToDo(model, 'reasoning'),
              maxInputTokens: context - output,
              maxOutputTokens: output,
            },
          ],
        },
      ];
      return [{ title: 'chatLanguageModels.json', language: 'json', code: toJsonText(settings) }];
    },
  },
  {
    id: 'zed',
    title: 'Zed',
    isAgent: true,
    toCode(setup) {
      const { siteUrl, model } = setup;
      const { context, output } = toTokenBounds(model);
      const listed = {
        name: model.id,
        display_name: model.id,
        max_tokens: context,
        max_output_tokens: output,
        capabilities: {
          tools: true,
          images: isKnownToDo(model, 'vision'),
          parallel_tool_calls: true,
          prompt_cache_key: false,
        },
      };
      const provider = { api_url: `${siteUrl}/proxy/v1`, available_models: [listed] };
      const settings = {
        language_models: { openai_compatible: { Marquee: provider } },
        agent: { default_model: { provider: 'Marquee', model: model.id } },
      };
      return [
        { title: 'settings.json', language: 'json', code: toJsonText(settings) },
        // The name of the variable comes from that of the provider.
        toTerminal({ MARQUEE_API_KEY: toShellKey(setup) }, 'zed'),
      ];
    },
  },
  {
    id: 'continue',
    title: 'Continue',
    isAgent: true,
    toCode({ siteUrl, key, model }) {
      const { context, output } = toTokenBounds(model);
      const capabilities = ['tool_use', ...(isKnownToDo(model, 'vision') ? ['image_input'] : [])];
      // A JSON string is a string of YAML.
      const code = [
        'name: Marquee',
        'version: 1.0.0',
        'schema: v1',
        'models:',
        `  - name: ${JSON.stringify(model.id)}`,
        '    provider: openai',
        `    model: ${JSON.stringify(model.id)}`,
        `    apiBase: ${siteUrl}/proxy/v1`,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Continue fills it in.
        `    apiKey: ${key ?? '${{ secrets.MARQUEE_KEY }}'}`,
        '    roles: [chat, edit, apply]',
        `    capabilities: [${capabilities.join(', ')}]`,
        '    defaultCompletionOptions:',
        `      contextLength: ${context}`,
        `      maxTokens: ${output}`,
      ];
      return [{ title: '~/.continue/config.yaml', language: 'yaml', code: code.join('\n') }];
    },
  },
];
