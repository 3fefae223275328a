import { toRedisScript } from '#lib/shared-state/redis.ts';

/**
 * `memory-limits.ts` and `minute-window.ts` as a Redis script.
 *
 * KEYS: the minute (a hash: second → requests), the day (a hash: used, held), the day's leases (a sorted set:
 * reservations by expiry, so that an instance that dies does not keep tokens reserved until midnight).
 * ARGV: now, requests a minute, tokens a day, tokens to reserve, the reservation's id, its expiry, and the
 * usage in storage (-1: unknown).
 * Returns: outcome, requests of the minute, ms until it is empty, ms to wait, tokens used, tokens reserved.
 */
export const reserveScript = toRedisScript(`
-- Negative numbers go through string.format: Redis does not accept Lua's -0 as an integer.
local minute, day, leases = KEYS[1], KEYS[2], KEYS[3]
local now, rpm, tpd = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local tokens, id, expiry, known = tonumber(ARGV[4]), ARGV[5], ARGV[6], tonumber(ARGV[7])

local used = tonumber(redis.call('HGET', day, 'used') or '-1')
if used < 0 and known < 0 then return {'unknown', 0, 0, 0, 0, 0} end
if known > used then
  used = known
  redis.call('HSET', day, 'used', string.format('%d', used))
  redis.call('PEXPIRE', day, 172800000)
end

local held = tonumber(redis.call('HGET', day, 'held') or '0')
for _, member in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now)) do
  local expired = tonumber(string.match(member, ':(%d+)$'))
  redis.call('ZREM', leases, member)
  held = redis.call('HINCRBY', day, 'held', string.format('%d', -expired))
end

local second = math.floor(now / 1000)
local counts, total, fields = {}, 0, redis.call('HGETALL', minute)
for i = 1, #fields, 2 do
  local at, count = tonumber(fields[i]), tonumber(fields[i + 1])
  if at <= second - 61 then
    redis.call('HDEL', minute, fields[i])
  else
    counts[#counts + 1] = { at, count }
    total = total + count
  end
end

local outcome = 'granted'
if tpd - used <= 0 or tokens > tpd - used then outcome = 'spent'
elseif total >= rpm then outcome = 'too-many'
elseif tokens > tpd - used - held then outcome = 'reserved' end

if outcome == 'granted' then
  redis.call('HINCRBY', minute, second, 1)
  redis.call('PEXPIRE', minute, 62000)
  counts[#counts + 1] = { second, 1 }
  total = total + 1
  held = redis.call('HINCRBY', day, 'held', tokens)
  redis.call('ZADD', leases, expiry, id .. ':' .. string.format('%d', tokens))
  redis.call('PEXPIRE', leases, 172800000)
end

table.sort(counts, function(a, b) return a[1] < b[1] end)
local reset, wait, left = 0, 0, total
for _, entry in ipairs(counts) do
  local leaves = (entry[1] + 61) * 1000 - now
  if left >= rpm and left - entry[2] < rpm then wait = leaves end
  left = left - entry[2]
  reset = leaves
end
return { outcome, total, reset, wait, used, held }
`);

/**
 * Settles a reservation. KEYS: the day, its leases. ARGV: the reservation's id, tokens reserved, tokens used.
 * Where Redis has lost the day, it counts nothing: the next request reads the day's usage from storage.
 */
export const settleScript = toRedisScript(`
local day, leases = KEYS[1], KEYS[2]
local id, held, used = ARGV[1], ARGV[2], ARGV[3]
if redis.call('HEXISTS', day, 'used') == 0 then return 0 end
if redis.call('ZREM', leases, id .. ':' .. held) == 1 then
  redis.call('HINCRBY', day, 'held', string.format('%d', -tonumber(held)))
end
redis.call('HINCRBY', day, 'used', used)
return 1
`);
