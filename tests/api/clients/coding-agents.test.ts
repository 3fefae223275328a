import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { describe, expect, inject, test } from 'vitest';
import { agents } from '../../agents/agents.ts';
import type { RecordedRequest } from '../../agents/recorder.ts';
import { readRecording } from '../../agents/recordings.ts';
import { model } from '../../support/clients/client-fixtures.ts';
import { toText } from '../../support/clients/libraries/anthropic.ts';
import { postJson } from '../../support/clients/post-json.ts';
import { type UpstreamKind, upstreamKinds } from '../../support/servers/in-process-proxy.ts';
import { examineChatStream } from '../../support/upstreams/chat-stream.ts';
import { examineMessagesStream } from '../../support/upstreams/messages-stream.ts';
import { examineResponsesStream, summarise } from '../../support/upstreams/responses-stream.ts';

/** The requests that `npm run test:agents -- --record` has recorded are sent again. */
const formats = {
  '/chat/completions': { examine: examineChatStream, read: readChat },
  '/responses': { examine: examineResponsesStream, read: readResponse },
  '/messages': { examine: examineMessagesStream, read: readMessage },
} as const;

describe.each(upstreamKinds)('requests of coding agents, %s upstream', (upstream) => {
  describe.each(agents)('$name', (agent) => {
    const requests = readRecording(agent).map((request, index) => ({ ...request, index }));
    const { examine, read } = formats[agent.path];

    test.each(requests)('request $index gives a stream, and the same as JSON', async (recorded) => {
      const streamed = await replay(upstream, recorded, true);
      const whole = await replay(upstream, recorded, false);

      expect([streamed.status, whole.status]).toEqual([200, 200]);
      const { problems, error, text, toolCalls } = examine(await streamed.text());
      expect({ problems, error }).toEqual({ problems: [], error: null });
      expect(text !== '' || toolCalls.length > 0).toBe(true);
      expect(read(await whole.json())).toEqual({ text, calls: toolCalls.map(({ name }) => name) });
    });
  });
});

test.each(agents)('the recording of $name has a picture, and nothing private', (agent) => {
  const text = JSON.stringify(readRecording(agent));
  expect(text).toContain('Run this.');
  expect(text).toContain('image/png');
  expect(text).not.toMatch(/mq_|sk-|\/home\/|\/root\/\.|authorization/);
});

function replay(
  upstream: UpstreamKind,
  { path, headers, body }: RecordedRequest,
  stream: boolean,
): Promise<Response> {
  const { url, key } = inject('servers')[upstream];
  const request = { ...(body as object), model, stream };
  return postJson(url + path, key, request, {
    headers: { ...headers, authorization: `Bearer ${key}` },
  });
}

type Summary = Readonly<{ text: string; calls: readonly unknown[] }>;

function readChat({ choices: [choice] }: OpenAI.ChatCompletion): Summary {
  const { content, tool_calls: calls = [] } = choice?.message ?? {};
  return {
    text: content ?? '',
    calls: calls.map((call) => (call.type === 'function' ? call.function.name : call.type)),
  };
}

function readResponse({ output }: Readonly<{ output: readonly object[] }>): Summary {
  const { text, toolCalls } = summarise(output.map((item) => ({ ...item })));
  return { text, calls: toolCalls.map(({ name }) => name) };
}

function readMessage({ content }: Anthropic.Message): Summary {
  return {
    text: toText({ content }),
    calls: content.flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])),
  };
}
