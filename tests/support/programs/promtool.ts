import { spawnSync } from 'node:child_process';

/** Runs Prometheus' own checker. */
export function runPromtool(args: readonly string[]): Readonly<{ isOk: boolean; output: string }> {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return { isOk: status === 0, output: stdout + stderr };
}
