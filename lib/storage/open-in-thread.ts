import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SqliteFile, SqliteResult } from './sqlite-file.ts';
import type { ThreadReply, ThreadRequest } from './sqlite-thread.ts';

type Waiting = PromiseWithResolvers<SqliteResult>;

/**
 * Opens an existing file in a thread of its own, which the first statement starts: a long statement holds up neither
 * the event loop nor the process when it ends.
 */
export function openInThread(path: string): SqliteFile {
  let thread: Worker | null = null;
  /** In the order of their requests, which is that of the replies. */
  const waiting: Waiting[] = [];
  let isClosing = false;

  function start(): Worker {
    // Next, which bundles it for `next start`, would replace `workerData`.
    const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url));
    worker.unref();
    worker.on('message', (reply: ThreadReply) => {
      const first = waiting.shift();
      // Who waits for the end of the thread would wait in vain in a process that ends.
      if (waiting.length === 0 && !isClosing) worker.unref();
      if ('result' in reply) first?.resolve(reply.result);
      else first?.reject(Object.assign(new Error(), reply.error));
    });
    // Such as one that is out of memory: the next statement starts another.
    const fail = (cause?: unknown) => {
      if (thread === worker) thread = null;
      const error = Object.assign(new Error('The thread has ended.', { cause }), {
        code: 'THREAD',
      });
      for (const query of waiting.splice(0)) query.reject(error);
    };
    worker.on('error', fail);
    worker.on('exit', () => fail());
    return worker;
  }

  return {
    execute(sql, parameters) {
      thread ??= start();
      const reply: Waiting = Promise.withResolvers();
      waiting.push(reply);
      thread.ref();
      thread.postMessage({ path, sql, parameters } satisfies ThreadRequest);
      return reply.promise;
    },
    async close() {
      if (thread === null) return;
      isClosing = true;
      const ended = once(thread, 'exit');
      thread.ref();
      thread.postMessage(null satisfies ThreadRequest);
      await ended;
    },
  };
}
