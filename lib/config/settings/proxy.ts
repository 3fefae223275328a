import { z } from 'zod';
import { budgetWords } from '../budget.ts';
import {
  budget,
  modelPatterns,
  textLine,
  webUrl,
  wholeNumberIn,
  wholeNumberSetting,
  word,
} from '../setting-schemas.ts';
import { setting } from './setting.ts';

const budgetExpected = `${budgetWords}, such as 5 USD/day, 50 USD/month, 200,000 tokens/day, or none`;

export const limitSettings = {
  PROXY_REQUESTS_PER_MINUTE: setting(wholeNumberSetting(1, 1_000_000, 60), {
    meaning: 'default limit of a key: requests per minute',
    expected: 'a whole number from 1 to 1,000,000',
  }),
  PROXY_TOKENS_PER_DAY: setting(wholeNumberSetting(1, 999_999_999, 1_000_000), {
    meaning: 'default limit of an operator’s key, or of a member: tokens per day (UTC)',
    expected: 'a whole number from 1 to 999,999,999',
  }),
  MEMBER_BUDGET: setting(budget.optional(), {
    meaning:
      '[budget](budgets.md) of each member for all keys, such as `5 USD/day, 9000 tokens/day`',
    expected: budgetExpected,
    unset: '`PROXY_TOKENS_PER_DAY`',
  }),
  TOTAL_BUDGET: setting(budget.optional(), {
    meaning: 'budget of all keys together, written the same way',
    expected: budgetExpected,
  }),
} as const;

const withoutUpstream = 'none: the proxy returns 500 with a hint';
const native = z.enum(['native', 'chat']);

export const upstreamSettings = {
  AI_UPSTREAM_URL: setting(webUrl.optional(), {
    meaning: 'URL of an OpenAI-compatible upstream, with its version: `…/api/v1`',
    expected: 'an http(s) URL with its version, such as https://models.example/api/v1',
    unset: withoutUpstream,
  }),
  AI_UPSTREAM_KEY: setting(word(1000).optional(), {
    meaning: 'its key',
    expected: 'a key of the upstream, without spaces',
    unset: withoutUpstream,
    secret: true,
  }),
  AI_UPSTREAM_RESPONSES: setting(native.default('native'), {
    meaning: '`native`: the upstream has `/responses`; `chat`: translate to Chat Completions',
    expected: 'native or chat',
  }),
  AI_UPSTREAM_MESSAGES: setting(native.default('chat'), {
    meaning: 'the same for `/messages`',
    expected: 'native or chat',
  }),
  AI_UPSTREAMS_FILE: setting(textLine(1000).optional(), {
    meaning: 'JSON file with [several upstreams](upstreams.md) instead',
    expected: 'the path of a JSON file, such as ./upstreams.json',
  }),
  AI_MODELS: setting(modelPatterns, {
    meaning: 'models that keys may use: ids or `prefix/*`, comma-separated',
    expected: 'ids of models or prefixes, separated by commas, such as vendor/model,other-vendor/*',
    unset: 'all it lists',
  }),
  PROXY_BODY_BYTES_MAX: setting(wholeNumberSetting(1024, 268_435_456, 32 * 1024 * 1024), {
    meaning: 'largest request body, in bytes',
    expected: 'a whole number of bytes from 1,024 to 268,435,456',
  }),
  PROXY_BODIES_BYTES_MAX: setting(wholeNumberIn(1_048_576, 1_099_511_627_776).optional(), {
    meaning: 'what [all bodies](operate/monitoring.md#sizes) of a process may take of its memory',
    expected: 'a whole number of bytes from 1,048,576 to 1,099,511,627,776',
    unset: 'a quarter of it',
  }),
  PROXY_TIMEOUT_SECONDS: setting(wholeNumberSetting(1, 3600, 120), {
    meaning: 'longest wait for the upstream’s first byte',
    expected: 'a whole number from 1 to 3600',
  }),
} as const;
