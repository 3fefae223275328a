'use client';

import { type FormEvent, useId, useState } from 'react';
import type { Api, ChatRequest } from '#lib/playground/chat-request.ts';
import { isBusy } from '#lib/playground/conversation.ts';
import type { ListedModel } from '#lib/playground/model-lists.ts';
import { useEarlyInput } from '../../_components/use-early-input.ts';
import { useIsHydrated } from '../../_components/use-is-hydrated.ts';
import { CodePanel } from './code-panel.tsx';
import { ConversationView } from './conversation-view.tsx';
import { KeyField } from './key-field.tsx';
import { ModelField } from './model-field.tsx';
import { ReplyFacts } from './reply-facts.tsx';
import { useConversation } from './use-conversation.ts';
import { useTabKey } from './use-tab-key.ts';

type PlaygroundProps = Readonly<{
  models: readonly ListedModel[];
  model: string;
  onModel: (id: string) => void;
  siteUrl: string;
}>;

/** A chat with a model through the site’s own proxy, and the same request as code. */
export function Playground({ models, model, onModel, siteUrl }: PlaygroundProps) {
  const [key, setKey] = useTabKey();
  const [api, setApi] = useState<Api>('responses');
  const [prompt, setPrompt] = useState('');
  const { conversation, ask, stop, clear } = useConversation();
  const promptId = useId();
  const promptField = useEarlyInput<HTMLTextAreaElement>(prompt, setPrompt);
  const isHydrated = useIsHydrated();
  const busy = isBusy(conversation);
  const text = prompt.trim();

  function send(event: FormEvent): void {
    event.preventDefault();
    if (busy || text === '') return;
    ask({ api, model, key: key.trim(), prompt: text });
    setPrompt('');
  }

  return (
    <>
      <p className="notice only-without-script">
        The playground needs JavaScript. You can also{' '}
        <a href="/docs/ai#send-your-first-request">use curl</a>.
      </p>
      <form className="playground-form only-with-script" onSubmit={send}>
        <div className="field-row">
          <KeyField value={key} onChange={setKey} />
          <ModelField models={models} value={model} onChange={onModel} />
          <ApiField value={api} onChange={setApi} />
        </div>
        <ConversationView conversation={conversation} />
        <p className="field">
          <label htmlFor={promptId}>Message</label>
          <textarea
            ref={promptField}
            id={promptId}
            required
            value={prompt}
            placeholder="Name three constellations and how to find them."
            onChange={(event) => setPrompt(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
            }}
          />
        </p>
        <p className="playground-actions">
          {busy ? (
            <button type="button" className="button" onClick={stop}>
              Stop
            </button>
          ) : (
            <button type="submit" className="button" disabled={!isHydrated}>
              Send
            </button>
          )}
          {conversation.turns.length > 0 && (
            <button type="button" className="button-quiet" onClick={clear}>
              New conversation
            </button>
          )}
          <span className="field-hint">Send with Ctrl+Enter or ⌘+Enter.</span>
        </p>
        <ReplyFacts conversation={conversation} />
      </form>
      <CodePanel
        request={toShownRequest({ api, model, turns: conversation.turns }, text)}
        siteUrl={siteUrl}
      />
    </>
  );
}

type ApiFieldProps = Readonly<{ value: Api; onChange: (api: Api) => void }>;

function ApiField({ value, onChange }: ApiFieldProps) {
  const id = useId();
  const pick = (picked: string) => onChange(picked === 'chat' ? 'chat' : 'responses');
  const field = useEarlyInput<HTMLSelectElement>(value, pick);
  return (
    <p className="field">
      <label htmlFor={id}>API</label>
      <select
        ref={field}
        id={id}
        value={value}
        onChange={(event) => pick(event.currentTarget.value)}
      >
        <option value="responses">Responses</option>
        <option value="chat">Chat Completions</option>
      </select>
    </p>
  );
}

// The message being typed, else the last one sent, without the reply to it.
function toShownRequest(request: ChatRequest, typed: string): ChatRequest {
  const { turns } = request;
  const model = request.model || 'MODEL';
  if (typed !== '')
    return { ...request, model, turns: [...turns, { role: 'user', content: typed }] };
  const sent = turns.at(-1)?.role === 'assistant' ? turns.slice(0, -1) : turns;
  const example = { role: 'user', content: 'Name three constellations.' } as const;
  return { ...request, model, turns: sent.length === 0 ? [example] : sent };
}
