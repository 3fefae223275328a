import {
  type Client,
  isKnownToDo,
  toJsonText,
  toShellKey,
  toTerminal,
  toTokenBounds,
} from './client.ts';

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
