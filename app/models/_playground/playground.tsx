'use client';

import { type FormEvent, useEffect, useState } from 'react';
import type { ListedModel } from '#lib/representations/listed-models.ts';
import { type Api, apis, type ChatRequest, noSettings } from '#lib/site/playground/chat-request.ts';
import {
  addPrompt,
  findLastPrompt,
  isBusy,
  type Prompt,
} from '#lib/site/playground/conversation.ts';
import { findFirstModel } from '#lib/site/playground/model-filter.ts';
import { SelectField, TextField } from '../../_components/fields/controlled-fields.tsx';
import { CodePanel } from './code-panel.tsx';
import { Composer, examplePrompt } from './composer.tsx';
import { ConversationView, ReplyFacts } from './conversation-view.tsx';
import { KeyField, useTabKey } from './key-field.tsx';
import { PictureButton, PictureList, usePictures } from './pictures.tsx';
import { SettingsFields } from './settings-fields.tsx';
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
  ['messages', 'Messages'],
] as const;

/** A chat with a model through the site’s own proxy, and the same request as code. */
export function Playground(props: PlaygroundProps) {
  const { models, model, onModel, siteUrl, offReason, formToken } = props;
  const [key, setKey] = useTabKey();
  const [api, setApi] = useState<Api>('responses');
  const [settings, setSettings] = useState(noSettings);
  const [prompt, setPrompt] = useState('');
  const listed = models.find(({ id }) => id === model);
  const hasVision = listed?.capabilities.includes('vision') ?? false;
  const pictures = usePictures(hasVision);
  const { conversation, ask, stop, clear } = useConversation();
  const { status, turns } = conversation;
  const busy = isBusy(conversation);
  const text = prompt.trim();
  const lastPrompt = findLastPrompt(turns);
  const lastText = lastPrompt.content;
  const prices = { priceIn: listed?.priceIn ?? null, priceOut: listed?.priceOut ?? null };
  const request = { api, model, key: key.trim(), formToken, settings, prices };

  // A prompt survives any error: it is back in the field, unless the next one is being typed.
  useEffect(() => {
    if (status === 'failed') setPrompt((typed) => (typed.trim() === '' ? lastText : typed));
  }, [status, lastText]);

  function send(event: FormEvent): void {
    event.preventDefault();
    if (busy || (text === '' && pictures.urls.length === 0) || offReason !== null) return;
    ask({ ...request, prompt: toPrompt(text, pictures.urls) });
    setPrompt('');
    pictures.set([]);
  }

  function retry(): void {
    ask({ ...request, prompt: lastPrompt, isRetry: true });
    if (text === lastText) setPrompt('');
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
            onChange={(text) => setApi(apis.find((each) => each === text) ?? 'responses')}
          />
        </div>
        <SettingsFields value={settings} onChange={setSettings} />
        <ConversationView conversation={conversation} onRetry={retry} />
        <Composer
          prompt={prompt}
          onPrompt={setPrompt}
          onSend={send}
          isBusy={busy}
          onStop={stop}
          onClear={turns.length > 0 ? clear : null}
          offReason={offReason}
          hasPictures={pictures.urls.length > 0}
          onPaste={pictures.onPaste}
          pictures={
            <PictureList
              urls={pictures.urls}
              onRemove={(url) => pictures.set(pictures.urls.filter((each) => each !== url))}
            />
          }
          pictureButton={hasVision && <PictureButton onAdd={pictures.add} />}
        />
        <ReplyFacts conversation={conversation} />
      </form>
      <CodePanel
        request={toShownRequest({ api, model, turns, ...settings }, toPrompt(text, pictures.urls))}
        siteUrl={siteUrl}
      />
    </>
  );
}

function toPrompt(content: string, urls: readonly string[]): Prompt {
  return urls.length === 0 ? { content } : { content, pictures: urls };
}

// The message being typed, else the last one sent, without the reply to it.
function toShownRequest(request: ChatRequest, typed: Prompt): ChatRequest {
  const { turns } = request;
  const model = request.model || 'MODEL';
  if (typed.content !== '' || typed.pictures !== undefined)
    return { ...request, model, turns: addPrompt(turns, typed) };
  const sent = turns.at(-1)?.role === 'assistant' ? turns.slice(0, -1) : turns;
  return {
    ...request,
    model,
    turns: sent.length === 0 ? addPrompt([], { content: examplePrompt }) : sent,
  };
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
