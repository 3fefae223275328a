import { startFreshRoot } from './fresh-root.ts';
import { findKey } from './one-machine.ts';
import { readCommands } from './pages.ts';
import type { Services } from './services.ts';

export async function runInContainer(tree: string, { settings }: Services): Promise<number> {
  await using root = startFreshRoot({ folders: { '/app': tree }, environment: settings });
  await root.run('cd /app\nexport DATA_DIR=/data');
  findKey(await root.run('npm run keys -- create --name zero --create-database'));
  const [...inside] = readCommands('containers')
    .join('')
    .matchAll(/(?<=docker compose exec marquee ).*/g);
  await root.run(inside.join('\n'));
  return root.commandCount();
}
