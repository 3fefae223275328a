import { Agent, request } from 'node:http';
import { median, percentile } from '../figures.ts';

export type PacedStreams = Readonly<{
  /** Median time to the first byte. */
  firstByteMs: number;
  /** 99th percentile of the time between two reads. */
  gapP99Ms: number;
}>;

type Options = Readonly<{
  url: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  streams: number;
}>;

/** Reads streams side by side, and measures when their bytes arrive. */
export async function measurePacedStreams(options: Options): Promise<PacedStreams> {
  const { url, body, headers, streams } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: streams });
  const gaps: number[] = [];
  const firstBytes: number[] = [];
  const readStream = () =>
    new Promise<void>((resolve, reject) => {
      const startedAt = performance.now();
      let lastRead = 0;
      const outgoing = request(url, { agent, method: 'POST', headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
        response.on('data', () => {
          const now = performance.now();
          if (lastRead === 0) firstBytes.push(now - startedAt);
          else gaps.push(now - lastRead);
          lastRead = now;
        });
        response.on('end', resolve);
        response.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  await Promise.all(Array.from({ length: streams }, readStream));
  agent.destroy();
  return { firstByteMs: median(firstBytes), gapP99Ms: percentile(gaps, 0.99) };
}
