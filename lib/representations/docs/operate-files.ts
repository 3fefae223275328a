import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BlockContent } from 'mdast';

/** Files that /docs/operate shows, by placeholder name: operators copy them from `lib/representations/docs/operate`. */
export function toOperateFiles(
  directory: string,
): Readonly<Record<string, readonly BlockContent[]>> {
  const read = (name: string): readonly BlockContent[] => [
    { type: 'code', value: readFileSync(join(directory, 'operate', name), 'utf8').trimEnd() },
  ];
  return {
    'systemd-unit': read('marquee@.service'),
    'nginx-configuration': read('nginx.conf'),
  };
}
