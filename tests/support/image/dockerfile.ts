import { readFileSync } from 'node:fs';

/** What the tests need to know of the Dockerfile: they do its steps without a container engine. */
export type Dockerfile = Readonly<{
  /** The commands of the build stage, in order. */
  buildSteps: readonly string[];
  environment: Readonly<Record<string, string>>;
  /** User and group of the process. */
  user: string;
  command: readonly string[];
  healthCheck: readonly string[];
}>;

export function readDockerfile(): Dockerfile {
  const path = `${import.meta.dirname}/../../../Dockerfile`;
  const lines = readFileSync(path, 'utf8').replaceAll('\\\n', ' ').split('\n');
  const second = lines.findLastIndex((line) => line.startsWith('FROM '));
  const [build, run] = [lines.slice(0, second), lines.slice(second)];
  const valuesOf = (stage: readonly string[], instruction: string) =>
    stage.flatMap((line) =>
      line.startsWith(`${instruction} `) ? line.slice(instruction.length + 1) : [],
    );
  const last = (instruction: string) => valuesOf(run, instruction).at(-1) ?? '';
  return {
    buildSteps: valuesOf(build, 'RUN'),
    environment: Object.fromEntries(
      valuesOf(run, 'ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('='))),
    ),
    user: last('USER'),
    command: JSON.parse(last('CMD')),
    healthCheck: JSON.parse(last('HEALTHCHECK').replace(/^.*?CMD /, '')),
  };
}
