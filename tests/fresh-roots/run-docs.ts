import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { print, startCommand } from '#lib/cli/command.ts';
import { requirePrograms } from '../programs.ts';
import { buildTree } from '../support/image/build-tree.ts';
import { runInContainer } from './container.ts';
import { runOnOneMachine } from './one-machine.ts';
import { startServices } from './services.ts';
import { runOnSeveral } from './several-instances.ts';

/**
 * `npm run test:docs`: runs the commands and files of the pages for operators in fresh roots with this machine's programs, and
 * checks what they are for. Installing packages and building are tested by `npm run test:build`. It takes minutes, so it is no
 * part of `npm test`.
 */
async function runDocs(): Promise<number> {
  requirePrograms(['bwrap', 'nginx', 'openssl', 'postgres', 'promtool', 'curl']);
  await using services = await startServices();
  const tree = buildTree();
  const next = `${tree}-next`;
  execFileSync('cp', ['-a', tree, next]);
  try {
    await tell('one machine', runOnOneMachine(tree, services));
    await tell('several instances', runOnSeveral([tree, next], services));
    await tell('containers', runInContainer(tree, services));
  } finally {
    for (const folder of [tree, next]) rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}

async function tell(name: string, commands: Promise<number>): Promise<void> {
  const count = await commands.catch((error: unknown) => {
    throw new Error(`${name}:\n${error instanceof Error ? error.message : String(error)}`);
  });
  print(process.stdout, `${name}: ok, ${count} commands`);
}

await startCommand(runDocs);
