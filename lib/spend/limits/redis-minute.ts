import { redisNow, type SharedRedis, toRedisScript } from '#lib/shared-state/redis.ts';
import type { LimitedKey, RequestsDecision } from './limits.ts';
import { toReply } from './redis-calls.ts';

/**
 * `minute-window.ts` as a Redis script. KEYS: the minute (a hash: second → requests). ARGV:
 * requests a minute. Returns: whether it was granted, requests of the minute, ms until it is empty,
 * ms to wait.
 */
const countRequestScript = toRedisScript(`${redisNow}
local minute, rpm = KEYS[1], tonumber(ARGV[1])

local second = math.floor(now / 1000)
local counts, total, fields = {}, 0, redis.call('HGETALL', minute)
for i = 1, #fields, 2 do
  local at, count = tonumber(fields[i]), tonumber(fields[i + 1])
  if at <= second - 60 then
    redis.call('HDEL', minute, fields[i])
  else
    counts[#counts + 1] = { at, count }
    total = total + count
  end
end

local granted = 0
if total < rpm then
  granted = 1
  redis.call('HINCRBY', minute, second, 1)
  redis.call('PEXPIRE', minute, 61000)
  counts[#counts + 1] = { second, 1 }
  total = total + 1
end

table.sort(counts, function(a, b) return a[1] < b[1] end)
local reset, wait, left = 0, 0, total
for _, entry in ipairs(counts) do
  local leaves = (entry[1] + 60) * 1000 - now
  if left >= rpm and left - entry[2] < rpm then wait = leaves end
  left = left - entry[2]
  reset = leaves
end
return { granted, total, reset, wait }
`);

/** Counts a request of the minute, of all instances together. */
export async function countInRedis(
  redis: SharedRedis,
  { id, requestsPerMinute }: LimitedKey,
): Promise<RequestsDecision> {
  const reply = await redis.run({
    script: countRequestScript,
    keys: [`marquee:limits:{${id}}:minute`],
    args: [requestsPerMinute],
  });
  const [granted = 0, requests = 0, resetMs = 0, waitMs = 0] = toReply(reply).map(Number);
  return { isGranted: granted === 1, left: requestsPerMinute - requests, resetMs, waitMs };
}
