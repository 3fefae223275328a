'use client';

import { type FormEvent, type MouseEvent, useEffect, useId, useState } from 'react';
import type { ListedModel } from '#lib/representations/listed-models.ts';
import type { Api, ChatRequest } from '#lib/site/playground/chat-request.ts';
import { toCodeSamples } from '#lib/site/playground/code-samples.ts';
import { addPrompt, findLastPrompt, isBusy } from '#lib/site/playground/conversation.ts';
import { findFirstModel } from '#lib/site/playground/model-filter.ts';
import { CodeBlock } from '../../_components/code-block.tsx';
import {
  SelectField,
  TextField,
  useEarlyInput,
} from '../../_components/fields/controlled-fields.tsx';
import { useIsHydrated } from '../../_components/script-button.tsx';
import { ConversationView, ReplyFacts } from './conversation-view.tsx';
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

const examplePrompt = 'Name three constellations and how to find them.';

/** A chat with a model through the site’s own proxy, and the same request as code. */
export function Playground(props: PlaygroundProps) {
  const { models, model, onModel, siteUrl, offReason, formToken } = props;
  const [key, setKey] = useTabKey();
  const [api, setApi] = useState<Api>('responses');
  const [prompt, setPrompt] = useState('');
  const { conversation, ask, stop, clear } = useConversation();
  const { status, turns } = conversation;
  const promptId = useId();
  const offId = useId();
  const promptField = useEarlyInput<HTMLTextAreaElement>(prompt, setPrompt);
  const isHydrated = useIsHydrated();
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

  /** React makes the same element the button that sends before the browser acts on the click. */
  function onlyStop(event: MouseEvent): void {
    event.preventDefault();
    stop();
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
        <div className="playground-composer">
          <p className="field">
            <label htmlFor={promptId}>Message</label>
            <textarea
              ref={promptField}
              id={promptId}
              required
              value={prompt}
              placeholder={examplePrompt}
              onChange={(event) => setPrompt(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
              }}
            />
          </p>
          <p className="playground-actions">
            {busy ? (
              <button type="button" className="button" onClick={onlyStop}>
                Stop
              </button>
            ) : (
              <button
                type="submit"
                className="button"
                disabled={!isHydrated || offReason !== null}
                onClick={ignoreSecondClick}
                aria-describedby={offReason === null ? undefined : offId}
              >
                Send
              </button>
            )}
            {turns.length > 0 && (
              <button type="button" className="button-quiet" onClick={clear}>
                New chat
              </button>
            )}
            <span id={offId} className={`field-hint${offReason === null ? ' send-keys' : ''}`}>
              {offReason ?? 'Send with Ctrl+Enter or ⌘+Enter.'}
            </span>
          </p>
        </div>
        <ReplyFacts conversation={conversation} />
      </form>
      <CodePanel request={toShownRequest({ api, model, turns }, text)} siteUrl={siteUrl} />
    </>
  );
}

/** The one of a double click on Stop. */
function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}

// The message being typed, else the last one sent, without the reply to it.
function toShownRequest(request: ChatRequest, typed: string): ChatRequest {
  const { turns } = request;
  const model = request.model || 'MODEL';
  if (typed !== '') return { ...request, model, turns: addPrompt(turns, typed) };
  const sent = turns.at(-1)?.role === 'assistant' ? turns.slice(0, -1) : turns;
  return { ...request, model, turns: sent.length === 0 ? addPrompt([], examplePrompt) : sent };
}

type KeyFieldProps = Readonly<{ value: string; onChange: (key: string) => void }>;

/** The API key. It is sent only to this site, and stored only in this tab. */
function KeyField(props: KeyFieldProps) {
  const hint = (
    <>
      Stored in this tab until you close it. <a href="/docs/ai#get-an-api-key">How to get a key</a>
    </>
  );
  return (
    <TextField {...props} label="API key" type="password" required placeholder="mq_…" hint={hint} />
  );
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

const storageName = 'marquee-key';

/** The API key, in session storage: it survives a reload, and is gone when the tab is closed. */
function useTabKey(): readonly [key: string, setKey: (key: string) => void] {
  const [key, setKey] = useState('');
  // In an effect, since the server has no storage. A key that was typed before hydration wins.
  useEffect(() => setKey((typed) => typed || readStored()), []);
  return [
    key,
    (typed) => {
      setKey(typed);
      store(typed);
    },
  ];
}

function readStored(): string {
  try {
    return sessionStorage.getItem(storageName) ?? '';
  } catch {
    // Storage is disabled: the key lasts as long as the page.
    return '';
  }
}

function store(key: string): void {
  try {
    if (key === '') sessionStorage.removeItem(storageName);
    else sessionStorage.setItem(storageName, key);
  } catch {
    // As above.
  }
}

type CodePanelProps = Readonly<{ request: ChatRequest; siteUrl: string }>;

/** The current request as code. */
function CodePanel({ request, siteUrl }: CodePanelProps) {
  const [title, setTitle] = useState('curl');
  const samples = toCodeSamples(request, { siteUrl });
  const shown = samples.find((sample) => sample.title === title);
  return (
    <section className="playground-code" aria-labelledby="as-code">
      <h3 id="as-code">The request as code</h3>
      <fieldset className="sample-choice only-with-script">
        <legend className="visually-hidden">Language</legend>
        {samples.map((sample) => (
          <label key={sample.title}>
            <input
              type="radio"
              name="language"
              checked={sample.title === title}
              onChange={() => setTitle(sample.title)}
            />{' '}
            {sample.title}
          </label>
        ))}
      </fieldset>
      {shown && (
        <CodeBlock title={shown.title} code={shown.code} language={shown.title.toLowerCase()} />
      )}
    </section>
  );
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
