'use client';

import { type FormEvent, useEffect, useState } from 'react';
import type { ListedModel } from '#lib/representations/listed-models.ts';
import type { Api, ChatRequest } from '#lib/site/playground/chat-request.ts';
import { addPrompt, findLastPrompt, isBusy } from '#lib/site/playground/conversation.ts';
import { findFirstModel } from '#lib/site/playground/model-filter.ts';
import { SelectField, TextField } from '../../_components/fields/controlled-fields.tsx';
import { CodePanel } from './code-panel.tsx';
import { Composer, examplePrompt } from './composer.tsx';
import { ConversationView, ReplyFacts } from './conversation-view.tsx';
import { KeyField, useTabKey } from './key-field.tsx';
import { useConversation } from './use-conversation.ts';
import './playground.css';

type PlaygroundProps = Readonly<{
  models: readonly ListedModel[];
  model: string;
  onModel: (id: string) => void;
  siteUrl: string;
  /** Why nothing can be sent; null: it can. */
  offReason: string | null;
  /** For a member's session, which replaces a key. */
  formToken?: string;
}>;

const apiOptions = [
  ['responses', 'Responses'],
  ['chat', 'Chat Completions'],
] as const;

/** A chat with a model through the site’s own proxy, and the same request as code. */
export function Playground(props: PlaygroundProps) {
  const { models, model, onModel, siteUrl, offReason, formToken } = props;
  const [key, setKey] = useTabKey();
  const [api, setApi] = useState<Api>('responses');
  const [prompt, setPrompt] = useState('');
  const { conversation, ask, stop, clear } = useConversation();
  const { status, turns } = conversation;
  const busy = isBusy(conversation);
  const text = prompt.trim();
  const lastPrompt = findLastPrompt(turns);
  const request = { api, model, key: key.trim(), formToken };

  // A prompt survives any error: it is back in the field, unless the next one is being typed.
  useEffect(() => {
    if (status === 'failed') setPrompt((typed) => (typed.trim() === '' ? lastPrompt : typed));
  }, [status, lastPrompt]);

  function send(event: FormEvent): void {
    event.preventDefault();
    if (busy || text === '' || offReason !== null) return;
    ask({ ...request, prompt: text });
    setPrompt('');
  }

  function retry(): void {
    ask({ ...request, prompt: lastPrompt, isRetry: true });
    if (text === lastPrompt) setPrompt('');
  }

  return (
    <>
      <p className="notice only-without-script">
        The playground needs JavaScript. You can also{' '}
        <a href="/docs/ai#send-your-first-request">use curl</a>.
      </p>
      <form className="playground-form only-with-script" onSubmit={send}>
        <div className="field-row">
          {formToken === undefined && <KeyField value={key} onChange={setKey} />}
          <ModelField models={models} value={model} onChange={onModel} />
          <SelectField
            label="API format"
            value={api}
            options={apiOptions}
            onChange={(text) => setApi(text === 'chat' ? 'chat' : 'responses')}
          />
        </div>
        <ConversationView conversation={conversation} onRetry={retry} />
        <Composer
          prompt={prompt}
          onPrompt={setPrompt}
          onSend={send}
          isBusy={busy}
          onStop={stop}
          onClear={turns.length > 0 ? clear : null}
          offReason={offReason}
        />
        <ReplyFacts conversation={conversation} />
      </form>
      <CodePanel request={toShownRequest({ api, model, turns }, text)} siteUrl={siteUrl} />
    </>
  );
}

// The message being typed, else the last one sent, without the reply to it.
function toShownRequest(request: ChatRequest, typed: string): ChatRequest {
  const { turns } = request;
  const model = request.model || 'MODEL';
  if (typed !== '') return { ...request, model, turns: addPrompt(turns, typed) };
  const sent = turns.at(-1)?.role === 'assistant' ? turns.slice(0, -1) : turns;
  return { ...request, model, turns: sent.length === 0 ? addPrompt([], examplePrompt) : sent };
}

type ModelFieldProps = Readonly<{
  models: readonly ListedModel[];
  value: string;
  onChange: (id: string) => void;
}>;

/** The model id, with suggestions. */
function ModelField({ models, ...props }: ModelFieldProps) {
  const options = models.map(({ id, name }): [string, string] => [id, name ?? id]);
  return <TextField {...props} label="Model" required placeholder="Model id" options={options} />;
}

type MemberPlaygroundProps = Readonly<{
  models: readonly ListedModel[];
  siteUrl: string;
  formToken: string;
  offReason: string | null;
}>;

export function MemberPlayground(props: MemberPlaygroundProps) {
  const [model, setModel] = useState(findFirstModel(props.models)?.id ?? '');
  return <Playground {...props} model={model} onModel={setModel} />;
}
