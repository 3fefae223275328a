import { toRedisScript } from '#lib/shared-state/redis.ts';

/**
 * `minute-window.ts` as a Redis script. KEYS: the minute (a hash: second → requests). ARGV: now,
 * requests a minute. Returns: whether it was granted, requests of the minute, ms until it is empty,
 * ms to wait.
 */
export const countRequestScript = toRedisScript(`
local minute = KEYS[1]
local now, rpm = tonumber(ARGV[1]), tonumber(ARGV[2])

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

/**
 * The budget of `memory-limits.ts` as a Redis script.
 *
 * KEYS: the day (a hash: used, held), the day's leases (a sorted set: reservations by expiry, so that an
 * instance that dies does not keep tokens reserved until midnight).
 * ARGV: now, tokens a day, the most tokens to reserve, the fewest, the reservation's id, its expiry, and the
 * usage in storage (-1: unknown).
 * Returns: outcome, tokens reserved for it, tokens used, tokens reserved by all.
 */
export const reserveScript = toRedisScript(`
-- Negative numbers go through string.format: Redis does not accept Lua's -0 as an integer.
local day, leases = KEYS[1], KEYS[2]
local now, tpd = tonumber(ARGV[1]), tonumber(ARGV[2])
local most, fewest = tonumber(ARGV[3]), tonumber(ARGV[4])
local id, expiry, known = ARGV[5], ARGV[6], tonumber(ARGV[7])

local used = tonumber(redis.call('HGET', day, 'used') or '-1')
if used < 0 and known < 0 then return {'unknown', 0, 0, 0} end
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

if tpd - used <= 0 or fewest > tpd - used then return { 'spent', 0, used, held } end
if fewest > tpd - used - held then return { 'reserved', 0, used, held } end

local tokens = string.format('%d', math.min(most, tpd - used - held))
held = redis.call('HINCRBY', day, 'held', tokens)
redis.call('ZADD', leases, expiry, id .. ':' .. tokens)
redis.call('PEXPIRE', leases, 172800000)
return { 'granted', tokens, used, held }
`);

/**
 * Extends a reservation. KEYS: the day, its leases. ARGV: tokens a day, tokens to add, the reservation's
 * id, its tokens so far, its expiry. Returns how many were added. A lease that has expired starts again.
 */
export const extendScript = toRedisScript(`
local day, leases = KEYS[1], KEYS[2]
local tpd, more, id, before, expiry = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local used = tonumber(redis.call('HGET', day, 'used') or '0')
local held = tonumber(redis.call('HGET', day, 'held') or '0')
if redis.call('ZREM', leases, id .. ':' .. before) == 0 then
  held = redis.call('HINCRBY', day, 'held', before)
end
local added = math.max(0, math.min(more, tpd - used - held))
redis.call('HINCRBY', day, 'held', string.format('%d', added))
redis.call('ZADD', leases, expiry, id .. ':' .. string.format('%d', tonumber(before) + added))
return added
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
