import { expect, test } from 'vitest';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { setUpModels } from '../../support/servers/set-up-models.ts';

const addModel = setUpModels();
const doneFrame = 'data: [DONE]\n\n';
const megabyte = 1024 * 1024;

test.each([
  [chatPath, { messages: [{ role: 'user', content: 'Hello' }] }],
  [responsesPath, { input: 'Hello' }],
  [messagesPath, { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] }],
] as const)('a picture of 20 MB in the text of a chat passes, too: %s', async (path, prompt) => {
  const picture = 'A'.repeat(20 * megabyte);
  const content = `Here: ![it](data:image/png;base64,${picture})`;
  const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const choice = { index: 0, delta: { role: 'assistant', content }, finish_reason: null };
  const usage = { prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 };
  const chunks = [
    { ...head, choices: [choice] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage },
  ];
  const model = addModel('chat', () =>
    chunks
      .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
      .join('')
      .concat(doneFrame),
  );
  const { text } = await model.send(path, { ...prompt, stream: true });
  expect(text).toContain(picture);
  expect(text).toMatch(/"finish_reason":"stop"|event: response.completed|event: message_stop/);
});
