import { expect, test } from 'vitest';
import {
  findFurtherModels,
  rejectChoiceByUpstream,
} from '#lib/ai-proxy/pipeline/require-allowed-models.ts';
import { thrownBy } from '../../../support/upstreams/proxy-errors.ts';

test.each<[string, object, string[]]>([
  ['fallbacks', { fallbacks: ['a/b', { model: 'c/d' }] }, ['a/b', 'c/d']],
  ['fallbacks by model', { fallbacks: [{ 'a/b': ['c/d', 'e/f'] }] }, ['a/b', 'c/d', 'e/f']],
  ['fallback_models', { fallback_models: ['a/b'] }, ['a/b']],
  ['a single fallback', { fallback_model: 'a/b' }, ['a/b']],
  ['a plugin', { plugins: [{ id: 'auto-router', allowed_models: ['a/*'] }] }, ['a/*']],
  ['a nested plugin', { plugins: [{ id: 'x', options: { judge_model: 'a/b' } }] }, ['a/b']],
  ['a hosted tool', { tools: [{ type: 'image_generation', model: 'a/b' }] }, ['a/b']],
  [
    'not the parameters of a function',
    { tools: [{ type: 'function', name: 'buy', parameters: { model: 'T' } }] },
    [],
  ],
  ['not the model itself', { model: 'a/b', models: ['c/d'], messages: [{ model: 'e' }] }, []],
])('models are found wherever they are named: %s', (_, body, names) => {
  expect(findFurtherModels({ ...body })).toEqual(names);
});

test.each(['preset', 'route'])('%s lets the upstream choose, which a list forbids', (field) => {
  const error = thrownBy(() => rejectChoiceByUpstream({ [field]: 'fallback' }));
  expect(error).toMatchObject({ status: 403, code: 'model_not_allowed', param: field });
  rejectChoiceByUpstream({ [field]: null });
});
