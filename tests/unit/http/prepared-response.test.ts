import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  addHeaders,
  partsOf,
  prepareResponse,
  type StreamedBody,
} from '#lib/http/prepared-response.ts';

function makePrepared() {
  return prepareResponse({
    status: 200,
    headers: ['Content-Type', 'application/json', 'Link', '<a>', 'Link', '<b>'],
    body: Buffer.from('{"name":"café"}'),
  });
}

test('a prepared response is a Response', () => {
  const response = makePrepared();
  expect(response).toBeInstanceOf(Response);
  expect(Object.prototype.toString.call(response)).toBe('[object Response]');
  expect(response.constructor).toBe(Response);
  expect(inspect(response)).toContain('200');
});

test('its status, headers and flags are those of its parts', () => {
  const response = makePrepared();
  expect(response.status).toBe(200);
  expect(response.ok).toBe(true);
  expect(response.statusText).toBe('');
  expect(response.type).toBe('default');
  expect(response.redirected).toBe(false);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('link')).toBe('<a>, <b>');
});

test('its body is read in every way that a Response is', async () => {
  const text = '{"name":"café"}';
  expect(await makePrepared().text()).toBe(text);
  expect(await makePrepared().json()).toEqual({ name: 'café' });
  expect(Buffer.from(await makePrepared().arrayBuffer()).toString()).toBe(text);
  expect(Buffer.from(await makePrepared().bytes()).toString()).toBe(text);
  const blob = await makePrepared().blob();
  expect([await blob.text(), blob.type]).toEqual([text, 'application/json']);
});

test('its body streams, and is used once', async () => {
  const response = makePrepared();
  expect(response.bodyUsed).toBe(false);
  const chunks: Uint8Array[] = [];
  if (response.body === null) throw new Error('it has a body');
  for await (const chunk of response.body) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('{"name":"café"}');
  expect(response.bodyUsed).toBe(true);
  await expect(response.text()).rejects.toThrow(TypeError);
});

test('a clone is read on its own', async () => {
  const response = makePrepared();
  const clone = response.clone();
  expect(await clone.text()).toBe(await response.text());
  expect(clone.headers.get('link')).toBe('<a>, <b>');
});

test('reading a prepared response leaves the bytes that others share alone', async () => {
  const body = Buffer.from('shared');
  const response = prepareResponse({ status: 200, headers: [], body });
  new Uint8Array(await response.arrayBuffer()).fill(0);
  expect(body.toString()).toBe('shared');
});

test.for([204, 304])('a %i without a body is one', async (status) => {
  const response = prepareResponse({ status, headers: [], body: null });
  expect(response.status).toBe(status);
  expect(response.body).toBeNull();
  expect(await response.text()).toBe('');
});

test('a Response can be made of it', async () => {
  const response = makePrepared();
  const copy = new Response(response.body, response);
  expect([copy.status, copy.headers.get('link')]).toEqual([200, '<a>, <b>']);
  expect(await copy.json()).toEqual({ name: 'café' });
});

test('its parts are for the front to take, those of another Response are not known', () => {
  expect(partsOf(makePrepared())?.status).toBe(200);
  expect(partsOf(new Response())).toBeUndefined();
});

test('headers are added to both kinds', () => {
  for (const response of [makePrepared(), new Response()]) {
    addHeaders(response, ['X-One', '1', 'X-Two', '2']);
    expect(response.headers.get('x-one')).toBe('1');
    expect(response.headers.get('x-two')).toBe('2');
  }
});

test('headers are added to a response whose own are immutable', () => {
  const response = Response.redirect('https://elsewhere.example/');
  expect(() => addHeaders(response, ['X-One', '1'])).not.toThrow();
});

test('headers that are added after somebody looked are seen', () => {
  const response = makePrepared();
  expect(response.headers.has('x-one')).toBe(false);
  addHeaders(response, ['X-One', '1']);
  expect(response.headers.get('x-one')).toBe('1');
});

test('a header that somebody sets the usual way reaches the front', () => {
  const response = makePrepared();
  response.headers.set('X-One', '1');
  expect(partsOf(response)?.headers.join('\n').toLowerCase()).toContain('x-one\n1');
});

test('a streamed body is a web stream to whoever looks', async () => {
  const response = prepareResponse({
    status: 200,
    headers: [],
    body: (sink) => {
      sink.write('one ');
      sink.write(Buffer.from('two'));
      sink.end();
    },
  });
  expect(await response.text()).toBe('one two');
});

test('a streamed body hears of a reader who drains it and of one who leaves', async () => {
  const heard: string[] = [];
  const response = prepareResponse({
    status: 200,
    headers: [],
    body: (sink) => {
      sink.onDrain(() => heard.push('drain'));
      sink.onClose(() => heard.push('close'));
      sink.write('x');
    },
  });
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(heard.at(-1)).toBe('close');
  expect(heard).toContain('drain');
});

test('a streamed body that is cut fails its reader', async () => {
  const body: StreamedBody = (sink) => sink.cut();
  const response = prepareResponse({ status: 200, headers: [], body });
  await expect(response.text()).rejects.toThrow();
});
