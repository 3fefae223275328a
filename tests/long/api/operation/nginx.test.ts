import { once } from 'node:events';
import type { ClientHttp2Session } from 'node:http2';
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import {
  connectHttp2,
  type Http2Request,
  sendHttp2,
} from '../../../support/clients/http2-client.ts';
import { forTests } from '../../../support/for-tests.ts';
import { runDocumentedCommands, startNginx } from '../../../support/programs/nginx.ts';
import { skipWithout } from '../../../support/servers/skip-without.ts';
import { startRawUpstream } from '../../../support/upstreams/raw-upstream.ts';

/** The nginx configuration that the docs show, in Debian's nginx, in front of the built server. */
const isInstalled = skipWithout('nginx') && skipWithout('openssl') && skipWithout('bwrap');
const { port } = inject('servers').native;
let session: ClientHttp2Session;

const send = (path: string, request?: Http2Request) => sendHttp2(session, path, request);
const html = { accept: 'text/html' };
const markdown = { accept: 'text/markdown' };

describe.runIf(isInstalled)('in front of the built server', () => {
  const nginx = forTests(() => startNginx([port]));

  beforeEach(async () => {
    session = await connectHttp2(nginx.url, nginx.certificate);
    return () => session.close();
  });

  // ASVS 12.2.1
  test('HTTP/2 is spoken, and plain HTTP leads to the site’s own name, whatever name it came to', async () => {
    expect(session.alpnProtocol).toBe('h2');
    const other = await fetch(nginx.plainUrl.replace('localhost', '127.0.0.1'), {
      redirect: 'manual',
    });
    expect(other.headers.get('location')).toBe('https://localhost/');
    const response = await fetch(`${nginx.plainUrl}/docs?a=1`, { redirect: 'manual' });
    expect(response.status).toBe(308);
    expect(response.headers.get('location')).toBe('https://localhost/docs?a=1');
  });

  test.each(['/', '/docs/api', '/calendar'])(
    '%s is cached as HTML and as Markdown, and neither evicts the other',
    async (path) => {
      await untilRendered(path);
      const responses = [];
      for (const headers of [html, markdown, html, markdown, html]) {
        responses.push(await send(path, { headers }));
      }
      const cached = responses.map(({ header }) => header('x-cache-status'));
      expect(cached).toEqual(['MISS', 'MISS', 'HIT', 'HIT', 'HIT']);
      const types = responses.map(({ header }) => header('content-type').split(';')[0]);
      const [asHtml, asMarkdown] = ['text/html', 'text/markdown'];
      expect(types).toEqual([asHtml, asMarkdown, asHtml, asMarkdown, asHtml]);
      expect(responses[2]?.text).toBe(responses[0]?.text);
      expect(responses[3]?.text).toBe(responses[1]?.text);
    },
  );

  // A busy instance sheds renders of pages; what it has rendered it serves.
  async function untilRendered(path: string): Promise<void> {
    const url = `http://127.0.0.1:${port}${path}`;
    for (const headers of [html, markdown]) {
      await expect.poll(async () => (await fetch(url, { headers })).ok).toBe(true);
    }
  }

  test('each compression of a page is cached', async () => {
    await untilRendered('/docs/errors');
    for (const expected of ['MISS', 'HIT']) {
      for (const encoding of ['br', 'gzip']) {
        const headers = { ...html, 'accept-encoding': encoding };
        const response = await send('/docs/errors', { headers });
        expect(response.header('content-encoding')).toBe(encoding);
        expect(response.header('x-cache-status')).toBe(expected);
      }
    }
  });

  test('browsers ask again for what nginx has cached, and get a 304 from it', async () => {
    const headers = { accept: 'application/json' };
    const { header } = await send('/api/v1/events', { headers });
    expect(header('cache-control')).toBe('public, max-age=0, must-revalidate');
    const second = await send('/api/v1/events', {
      headers: { ...headers, 'if-none-match': header('etag') },
    });
    expect(second.status).toBe(304);
    expect(second.header('x-cache-status')).toBe('HIT');
  });

  test('files that never change are the browser’s for a year', async () => {
    const page = await send('/', { headers: html });
    const [path = ''] = /\/_next\/static\/[^"]+\.js/.exec(page.text) ?? [];
    const { header } = await send(path);
    expect(header('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('what must not be stored is not', async () => {
    for (let times = 0; times < 2; times++) {
      const { header } = await send('/health');
      expect(header('cache-control')).toBe('no-store');
      expect(header('x-cache-status')).toBe('MISS');
    }
  });

  test.each([
    [32 * 1024 * 1024, 401],
    [34 * 1024 * 1024, 413],
  ])('a body of %i bytes gets a %i', async (length, status) => {
    const request = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = Buffer.alloc(length, 32);
    const response = await send('/proxy/v1/chat/completions', { ...request, body });
    expect(response.status).toBe(status);
  });

  test('nginx accepts what the documented commands make', async () => {
    const output = await runDocumentedCommands();
    expect(output.match(/nginx\.conf test is successful/g)).toHaveLength(2);
  });
});

/** nginx before these instances, until the test has finished, and a connection to it. */
async function openFront(ports: readonly number[], options?: Parameters<typeof startNginx>[1]) {
  const front = await startNginx(ports, options);
  const connection = await connectHttp2(front.url, front.certificate);
  onTestFinished(async () => {
    connection.destroy();
    await front.close();
  });
  return connection;
}

describe.runIf(isInstalled)('in front of other instances', () => {
  test('each part of a stream is sent on at once', async () => {
    let finish = () => {};
    await using instance = await startRawUpstream((response, { url }) => {
      if (url === '/health/live') return void response.end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: one\n\n');
      finish = () => void response.end('data: two\n\n');
    });
    const connection = await openFront([instance.port]);
    const stream = connection.request({ ':method': 'POST', ':path': '/proxy/v1/responses' }).end();
    stream.setEncoding('utf8');
    const [first] = await once(stream, 'data');
    expect(first).toBe('data: one\n\n');
    finish();
    const [second] = await once(stream, 'data');
    expect(second).toBe('data: two\n\n');
  });

  test('during an upgrade a script comes from the instance that has it', async () => {
    const requests: string[] = [];
    const startVersion = (version: 'old' | 'new') =>
      startRawUpstream((response, { url = '' }) => {
        if (url !== '/health/live') requests.push(`${version} ${url}`);
        const isThere = url === '/health/live' || url.endsWith(`/${version}.js`);
        response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/javascript' });
        response.end(isThere ? version : 'nothing');
      });
    await using oldVersion = await startVersion('old');
    await using newVersion = await startVersion('new');
    const connection = await openFront([oldVersion.port, newVersion.port]);
    for (const version of ['old', 'new', 'old', 'new', 'new', 'old']) {
      const script = await sendHttp2(connection, `/_next/static/chunks/${version}.js`);
      expect(script).toMatchObject({ status: 200, text: version });
    }
    requests.length = 0;
    expect((await sendHttp2(connection, '/_next/static/chunks/no.js')).status).toBe(404);
    expect(requests.map((request) => request.slice(0, 3)).toSorted()).toEqual(['new', 'old']);
    // Anything else that does not exist is asked for once.
    requests.length = 0;
    expect((await sendHttp2(connection, '/events/no-such-event')).status).toBe(404);
    expect(requests).toHaveLength(1);
  });

  test('behind a CDN the visitor’s address arrives, and nobody can make one up', async () => {
    const seen: unknown[] = [];
    await using instance = await startRawUpstream((response, { headers }) => {
      seen.push(headers['x-forwarded-for']);
      response.end();
    });
    const cdn = 'set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For; real_ip_recursive on;';
    for (const options of [{ cdn }, {}]) {
      const connection = await openFront([instance.port], options);
      // The CDN adds the visitor behind what the visitor has sent.
      const headers = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' };
      await sendHttp2(connection, '/proxy/a', { headers });
      expect(seen.at(-1)).toBe('cdn' in options ? '203.0.113.7' : '127.0.0.1');
    }
  });

  test('a GET that one instance sheds goes to the next; a POST is never sent twice', async () => {
    const requests: string[] = [];
    const startInstance = (status: number) =>
      startRawUpstream((response, { method = '', url }) => {
        if (url !== '/health/live') requests.push(`${method} ${status}`);
        response.writeHead(status).end();
      });
    await using busy = await startInstance(503);
    await using free = await startInstance(200);
    const connection = await openFront([busy.port, free.port]);
    const statuses = new Set<number>();
    for (let times = 0; times < 4; times++) {
      statuses.add((await sendHttp2(connection, `/a${times}`)).status);
    }
    expect([...statuses]).toEqual([200]);
    requests.length = 0;
    for (let times = 0; times < 4; times++) {
      await sendHttp2(connection, '/proxy/v1/responses', { method: 'POST' });
    }
    expect(requests).toHaveLength(4);
  });

  test('one client’s dear requests are limited, its cheap ones are not', async () => {
    await using instance = await startRawUpstream((response) => void response.end());
    const connection = await openFront([instance.port]);
    const count = async (limited: number, path: string) => {
      const all = Array.from({ length: 100 }, (_, index) =>
        sendHttp2(connection, path + index, { headers: html }),
      );
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      return limited + statuses.filter((status) => status === 429).length;
    };
    let limited = 0;

    for (let batch = 0; batch < 3; batch++) limited = await count(limited, `/media/att${batch}?w=`);
    expect(limited).toBe(0);
    for (let batch = 0; batch < 6; batch++) limited = await count(limited, `/?q=${batch}-`);

    expect(limited).toBeGreaterThan(0);
    expect((await sendHttp2(connection, '/docs')).status).toBe(200);
  });

  test('an instance that refuses connections is passed over', async () => {
    const connection = await openFront([1, port]);
    for (let times = 0; times < 4; times++) {
      expect((await sendHttp2(connection, '/health')).status).toBe(200);
    }
  });
});
