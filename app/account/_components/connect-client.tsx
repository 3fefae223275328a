'use client';

import { useState } from 'react';
import { type Client, toConnectCommand } from '#lib/representations/clients/client.ts';
import {
  clients,
  findClient,
  type OfferedModel,
  rankModels,
} from '#lib/representations/clients/clients.ts';
import { toTokensInWords } from '#lib/representations/listed-models.ts';
import { CodeBlock } from '../../_components/code-block.tsx';

type ConnectClientProps = Readonly<{
  siteUrl: string;
  /** Null: a key that was shown before. It is never part of a URL. */
  keyText: string | null;
  models: readonly OfferedModel[];
  /** Whether the key may use only some of the site’s models. */
  isLimited: boolean;
  /** What the URL names: without scripts the form leads there. */
  clientId: string | undefined;
  modelId: string | undefined;
}>;

/** A client and a model, and the configuration that connects them. */
export function ConnectClient(props: ConnectClientProps) {
  const { siteUrl, keyText, models, isLimited, ...named } = props;
  const [client, setClient] = useState(findClient(named.clientId) ?? clients[0]);
  const [modelId, setModelId] = useState(named.modelId ?? '');
  if (client === undefined) return null;
  const ranked = rankModels(client, models);
  return (
    <form className="client-tabs" method="get" action="/account#connect">
      <fieldset className="sample-choice">
        <legend className="visually-hidden">Client</legend>
        {clients.map((choice) => (
          <label key={choice.id}>
            <input
              type="radio"
              name="client"
              value={choice.id}
              defaultChecked={choice === client}
              onChange={() => setClient(choice)}
            />
            <span>{choice.title}</span>
          </label>
        ))}
      </fieldset>
      <p className="field client-model">
        <label htmlFor="client-model">Model</label>
        <select
          id="client-model"
          name="model"
          value={ranked.some(({ id }) => id === modelId) ? modelId : ''}
          onChange={({ target }) => setModelId(target.value)}
        >
          <option value="">The best for {client.title}</option>
          {ranked.map((model) => (
            <option key={model.id} value={model.id}>
              {describeModel(model)}
            </option>
          ))}
        </select>
        <button type="submit" className="button-quiet only-without-script">
          Show
        </button>
      </p>
      {clients.map((choice) => (
        <div key={choice.id} className="client-panel" data-client={choice.id}>
          <ClientPanel
            client={choice}
            siteUrl={siteUrl}
            keyText={keyText}
            models={models}
            isLimited={isLimited}
            modelId={modelId}
          />
        </div>
      ))}
    </form>
  );
}

type ClientPanelProps = Pick<ConnectClientProps, 'siteUrl' | 'keyText' | 'models' | 'isLimited'> &
  Readonly<{ client: Client; modelId: string }>;

const anyModel = { id: 'MODEL', contextTokens: null, capabilities: [] };

function ClientPanel(props: ClientPanelProps) {
  const { client, siteUrl, keyText, models, isLimited, modelId } = props;
  const ranked = rankModels(client, models);
  const [best] = ranked;
  if (best === undefined && models.length > 0) {
    return (
      <p className="notice">
        None of these models suits {client.title}
        {client.isAgent && ': it needs tools, and a context of 32,000 tokens'}.
      </p>
    );
  }
  const model = ranked.find(({ id }) => id === modelId) ?? best ?? anyModel;
  const blocks = client.toCode({ siteUrl, key: keyText, model });
  return (
    <>
      <p className="quiet">
        With <strong>{describeModel(model)}</strong>
      </p>
      {client.toConnection !== undefined && best !== undefined && (
        <>
          <CodeBlock
            title={`${client.title}: one command`}
            code={toConnectCommand(siteUrl, client, isLimited || model !== best ? model.id : null)}
            language="sh"
          />
          <p className="quiet">
            It asks for your key, tests it, and changes {client.title}’s own settings.{' '}
            <a href="/docs/connect">Read the script, or undo it</a>. Or set it up yourself:
          </p>
        </>
      )}
      {blocks.map(({ title, language, code }) => (
        <CodeBlock
          key={`${title} ${language}`}
          title={`${client.title}: ${title}`}
          code={code}
          language={language}
        />
      ))}
    </>
  );
}

function describeModel({ id, contextTokens }: Pick<OfferedModel, 'id' | 'contextTokens'>): string {
  return contextTokens === null ? id : `${id}, ${toTokensInWords(contextTokens)} context`;
}
