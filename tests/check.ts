import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** `npm run check`: the scripts `check:…` side by side. The output of each comes as a whole. */
const checks = ['check:style', 'check:types', 'check:imports', 'check:unused', 'check:texts'];
const run = promisify(execFile);

type Output = Readonly<{ stdout: string; stderr: string }>;

async function check(name: string): Promise<void> {
  const options = { cwd: `${import.meta.dirname}/..`, maxBuffer: Number.POSITIVE_INFINITY };
  const output = await run(process.execPath, ['--run', name], options).catch((error: Output) => {
    process.exitCode = 1;
    return error;
  });
  process.stdout.write(`${name}\n${output.stdout}${output.stderr}\n`);
}

await Promise.all(checks.map(check));
