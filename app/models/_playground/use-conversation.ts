import { useEffect, useReducer, useRef } from 'react';
import type { Api, ChatSettings } from '#lib/site/playground/chat-request.ts';
import {
  type Conversation,
  type ConversationAction,
  emptyConversation,
  type Prompt,
  reduceConversation,
} from '#lib/site/playground/conversation.ts';
import { noResponse } from '#lib/site/playground/error-messages.ts';
import { type ReplyEvent, streamReply } from '#lib/site/playground/stream-reply.ts';

type Ask = Readonly<{
  api: Api;
  model: string;
  key: string;
  formToken?: string | undefined;
  settings: ChatSettings;
  prices: Extract<ConversationAction, { type: 'sent' }>['prices'];
  prompt: Prompt;
  isRetry?: boolean;
}>;

type Talk = Readonly<{
  conversation: Conversation;
  ask: (question: Ask) => void;
  stop: () => void;
  clear: () => void;
}>;

/** A conversation with a model, with at most one request in flight. */
export function useConversation(): Talk {
  const [conversation, dispatch] = useReducer(reduceConversation, emptyConversation);
  const request = useRef<AbortController | null>(null);
  // Leaving the page aborts the request.
  useEffect(() => () => request.current?.abort(), []);

  async function ask(question: Ask): Promise<void> {
    const { api, model, key, formToken, settings, prices, prompt, isRetry = false } = question;
    const controller = new AbortController();
    request.current = controller;
    const sent = { type: 'sent', prompt, prices, isRetry, atMs: Date.now() } as const;
    const { turns } = reduceConversation(conversation, sent);
    dispatch(sent);
    const { signal } = controller;
    const onEvent = (event: ReplyEvent) => {
      if (!signal.aborted) dispatch({ type: 'received', event, atMs: Date.now() });
    };
    try {
      await streamReply({ api, model, turns, ...settings }, { key, formToken, signal, onEvent });
    } catch {
      // Aborted, which is shown already, or the network failed.
      onEvent({ kind: 'failed', error: noResponse });
    }
  }

  function abort(): void {
    request.current?.abort();
    request.current = null;
  }

  return {
    conversation,
    ask,
    stop() {
      abort();
      dispatch({ type: 'stopped', atMs: Date.now() });
    },
    clear() {
      abort();
      dispatch({ type: 'cleared' });
    },
  };
}
