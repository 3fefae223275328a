import { AsyncLocalStorage } from 'node:async_hooks';
import { onTestFinished } from 'vitest';
import { isHttpError } from '#lib/http/errors/errors.ts';
import { setServices } from '#lib/services.ts';
import { channels, type UpstreamCalled } from '#lib/telemetry/channels.ts';
import type { InProcessProxy } from './in-process-proxy.ts';

/** The calls of upstreams for a request, with what its client has written into the header `x-test`. */
export type CountedRequest = Readonly<{ label: string | null; calls: CountedCall[] }>;

/** A call, and how long after the start of its request it has ended. */
type CountedCall = UpstreamCalled & Readonly<{ endMs: number }>;

const counted: ReadonlySet<string> = new Set(['createChatCompletion', 'createResponse']);

/** Counts the requests that reach the proxy, those with an invalid key, and the calls of upstreams for each. */
export function countRequests({ services }: InProcessProxy) {
  const requests: CountedRequest[] = [];
  const counts = { reached: 0, unauthorized: 0, open: 0 };
  const running = new AsyncLocalStorage<CountedRequest & Readonly<{ startMs: number }>>();
  const note = (call: UpstreamCalled) => {
    const request = running.getStore();
    request?.calls.push({ ...call, endMs: performance.now() - request.startMs });
  };
  channels.upstreamCalled.subscribe(note);
  onTestFinished(() => channels.upstreamCalled.unsubscribe(note));
  const { aiProxy } = services;
  const respond: typeof aiProxy.respond = async (id, request) => {
    if (!counted.has(id)) return aiProxy.respond(id, request);
    counts.reached += 1;
    counts.open += 1;
    const label = request.headers.get('x-test');
    const countedRequest = { label, calls: [] as CountedCall[], startMs: performance.now() };
    requests.push(countedRequest);
    try {
      return await running.run(countedRequest, () => aiProxy.respond(id, request));
    } catch (error) {
      if (isHttpError(error) && error.status === 401) counts.unauthorized += 1;
      // A busy machine: the proxy has not looked at it.
      if (isHttpError(error) && error.reason === 'event_loop_delay') counts.reached -= 1;
      throw error;
    } finally {
      counts.open -= 1;
    }
  };
  setServices({
    ...services,
    aiProxy: { ...aiProxy, respond },
  });
  return {
    counts,
    /** Of requests that went on at another upstream: the calls that failed before. */
    failedOver: () =>
      requests.flatMap(({ label, calls }) =>
        calls.slice(0, -1).map((call) => ({ label, ...call })),
      ),
  };
}
