import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../servers/free-port.ts';
import { startServerProgram } from './server-program.ts';

/** One time series that a query found, and its value now. */
export type Series = Readonly<{ labels: Readonly<Record<string, string>>; value: number }>;

export type Prometheus = Readonly<{
  query: (expression: string) => Promise<readonly Series[]>;
  close: () => Promise<void>;
}>;

type Options = Readonly<{ metricsPorts: readonly number[]; rulesFile: string }>;

/** Starts Prometheus, which reads the metrics of instances every two seconds. */
export async function startPrometheus({ metricsPorts, rulesFile }: Options): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-prometheus-'));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const targets = metricsPorts.map((metricsPort) => `127.0.0.1:${metricsPort}`);
  // JSON is YAML.
  const config = {
    global: { scrape_interval: '2s', evaluation_interval: '2s' },
    rule_files: [rulesFile],
    scrape_configs: [{ job_name: 'marquee', static_configs: [{ targets }] }],
  };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const server = await startServerProgram({
    command: 'prometheus',
    args: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    cwd: folder,
    probe: async () => void (await query('up')),
  });

  async function query(expression: string): Promise<readonly Series[]> {
    const response = await fetch(
      `${url}/api/v1/query?${new URLSearchParams({ query: expression })}`,
    );
    if (!response.ok) throw new Error(`Prometheus responded ${response.status} to ${expression}`);
    const { data }: Reply = await response.json();
    return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  return {
    query,
    async close() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Reply = Readonly<{
  data: Readonly<{
    result: readonly Readonly<{
      metric: Readonly<Record<string, string>>;
      value: readonly [number, string];
    }>[];
  }>;
}>;
