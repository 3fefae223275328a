import type { UpstreamsFileContent } from './upstreams-schema.ts';

/** What is wrong with the models of the file as a whole; null if nothing is. */
export function findModelProblem({ upstreams, models }: UpstreamsFileContent): string | null {
  const names = new Set(upstreams.map(({ name }) => name));
  const ids = new Set<string>();
  for (const [index, { id, targets }] of models.entries()) {
    const at = `models[${index}]`;
    if (ids.has(id)) return `${at}.id is ${JSON.stringify(id)}, as that of another model.`;
    ids.add(id);
    const unknown = targets.findIndex(({ upstream }) => !names.has(upstream));
    if (unknown !== -1) {
      const name = JSON.stringify(targets[unknown]?.upstream);
      return `${at}.targets[${unknown}].upstream is ${name}, but there is no upstream of that name.`;
    }
    const weights = targets.filter(({ weight }) => weight !== undefined).length;
    if (weights > 0 && weights < targets.length) {
      return `${at}.targets must all have a weight, or none of them.`;
    }
  }
  return findAliasProblem(models, ids);
}

function findAliasProblem(
  models: UpstreamsFileContent['models'],
  ids: ReadonlySet<string>,
): string | null {
  const aliases = new Map<string, string>();
  for (const [index, { id, aliases: own }] of models.entries()) {
    for (const [position, alias] of own.entries()) {
      const at = `models[${index}].aliases[${position}] is ${JSON.stringify(alias)}`;
      if (aliases.has(alias)) return `${at}, as another alias.`;
      aliases.set(alias, id);
    }
  }
  for (const id of ids) {
    const loop = findLoop(id, aliases);
    if (loop !== null) return `the aliases form a loop: ${loop.join(' → ')}.`;
    const model = aliases.get(id);
    if (model !== undefined)
      return `${JSON.stringify(id)} is an alias of ${JSON.stringify(model)}, and a model itself.`;
  }
  return null;
}

function findLoop(id: string, aliases: ReadonlyMap<string, string>): string[] | null {
  const path = [id];
  for (let next = aliases.get(id); next !== undefined; next = aliases.get(next)) {
    path.push(next);
    if (next === id) return path;
    if (path.indexOf(next) < path.length - 1) return null;
  }
  return null;
}
