import { runOrNull, type SharedRedis, toRedisScript } from './redis.ts';

/** What instances tell each other as soon as it happens. A listener also has to poll now and then: messages can get lost. */
export type Topic = 'keys-changed';

const publishScript = toRedisScript(`return redis.call('PUBLISH', KEYS[1], '')`);
const reconnectMs = 1_000;
/** Finds out that a peer is gone without a word. */
const pingIntervalMs = 5_000;

/** Tells all instances, unless Redis fails. */
export async function announce(redis: SharedRedis, topic: Topic): Promise<void> {
  await runOrNull(redis, { script: publishScript, keys: [toChannel(topic)], args: [] });
}

export type Announcements = Readonly<{
  /** Calls back for each announcement, and after each connection: what was announced before is lost. */
  on: (topic: Topic, callback: () => void) => void;
  close: () => Promise<void>;
}>;

/** Listens from the first `on` on, on a connection of its own that reconnects for as long as it takes. */
export function createAnnouncements(url: string): Announcements {
  let client: Promise<Client> | null = null;

  async function listen(topic: Topic, callback: () => void): Promise<void> {
    client ??= createListener(url);
    const listener = await client;
    listener.on('ready', callback);
    if (!listener.isOpen) await listener.connect();
    await listener.subscribe(toChannel(topic), callback);
  }

  return {
    on(topic, callback) {
      // Closed before it was connected.
      listen(topic, callback).catch(() => {});
    },
    async close() {
      const listener = await client;
      if (listener?.isOpen) listener.destroy();
    },
  };
}

type Client = Awaited<ReturnType<typeof createListener>>;

async function createListener(url: string) {
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    pingInterval: pingIntervalMs,
    socket: { reconnectStrategy: () => reconnectMs },
  });
  // The other connections log what is wrong with Redis.
  return client.on('error', () => {});
}

function toChannel(topic: Topic): string {
  return `marquee:${topic}`;
}
