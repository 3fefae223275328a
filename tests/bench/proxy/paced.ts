import { Agent, request } from 'node:http';

export type Paced = Readonly<{
  /** Median time to the first byte, ms. */
  firstByteMs: number;
  /** 99th percentile of the time between two reads, ms. */
  gapP99Ms: number;
}>;

type Options = Readonly<{
  url: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  streams: number;
}>;

/** How often all streams are read; what came the first time, cold, does not count. */
const rounds = 4;

/** Reads streams side by side, and measures when their bytes came. */
export async function measurePaced({ url, body, headers, streams }: Options): Promise<Paced> {
  const agent = new Agent({ keepAlive: true, maxSockets: streams });
  const gaps: number[] = [];
  const firsts: number[] = [];
  const readOne = () =>
    new Promise<void>((resolve, reject) => {
      const startedAt = performance.now();
      let last = 0;
      const options = { agent, method: 'POST', headers };
      const call = request(url, options, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}.`));
        answer.on('data', () => {
          const now = performance.now();
          if (last === 0) firsts.push(now - startedAt);
          else gaps.push(now - last);
          last = now;
        });
        answer.on('end', resolve);
        answer.on('error', reject);
      });
      call.on('error', reject);
      call.end(body);
    });
  for (let round = 0; round < rounds; round += 1) {
    if (round === 1) [firsts.length, gaps.length] = [0, 0];
    await Promise.all(Array.from({ length: streams }, readOne));
  }
  agent.destroy();
  return { firstByteMs: percentile(firsts, 0.5), gapP99Ms: percentile(gaps, 0.99) };
}

function percentile(values: number[], share: number): number {
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}
