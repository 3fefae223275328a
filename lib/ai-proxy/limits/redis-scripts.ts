import { toRedisScript } from '#lib/shared-state/redis.ts';

/**
 * What `memory-limits.ts` and `minute-window.ts` do, in Redis. Keys: the minute (second → requests), the
 * day (used, held), and the day's leases (reservations by the time at which they lapse, so that an
 * instance that dies does not hold tokens until midnight).
 *
 * Given: now, requests a minute, tokens a day, tokens asked for, the reservation's id, the time at which
 * it lapses, and what is known to be used (-1: not known).
 * Answer: outcome, requests of the minute, ms until it is empty, ms until there is room, used, held.
 */
export const beginScript = toRedisScript(`
-- Numbers below zero are written by format: Lua's own -0 is no integer to Redis.
local minute, day, leases = KEYS[1], KEYS[2], KEYS[3]
local now, rpm, tpd = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local tokens, id, lapses, known = tonumber(ARGV[4]), ARGV[5], ARGV[6], tonumber(ARGV[7])

local used = tonumber(redis.call('HGET', day, 'used') or '-1')
if used < 0 and known < 0 then return {'unknown', 0, 0, 0, 0, 0} end
if known > used then
  used = known
  redis.call('HSET', day, 'used', string.format('%d', used))
  redis.call('PEXPIRE', day, 172800000)
end

local held = tonumber(redis.call('HGET', day, 'held') or '0')
for _, member in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now)) do
  local lapsed = tonumber(string.match(member, ':(%d+)$'))
  redis.call('ZREM', leases, member)
  held = redis.call('HINCRBY', day, 'held', string.format('%d', -lapsed))
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
elseif tokens > tpd - used - held then outcome = 'held' end

if outcome == 'granted' then
  redis.call('HINCRBY', minute, second, 1)
  redis.call('PEXPIRE', minute, 62000)
  counts[#counts + 1] = { second, 1 }
  total = total + 1
  held = redis.call('HINCRBY', day, 'held', tokens)
  redis.call('ZADD', leases, lapses, id .. ':' .. string.format('%d', tokens))
  redis.call('PEXPIRE', leases, 172800000)
end

table.sort(counts, function(a, b) return a[1] < b[1] end)
local empty, room, left = 0, 0, total
for _, entry in ipairs(counts) do
  local leaves = (entry[1] + 61) * 1000 - now
  if left >= rpm and left - entry[2] < rpm then room = leaves end
  left = left - entry[2]
  empty = leaves
end
return { outcome, total, empty, room, used, held }
`);

/**
 * Ends a reservation. Keys: the day, its leases. Given: the reservation's id, tokens held, tokens used.
 * What Redis has forgotten is not counted here: it is read from storage when the day is next asked for.
 */
export const endScript = toRedisScript(`
local day, leases = KEYS[1], KEYS[2]
local id, held, used = ARGV[1], ARGV[2], ARGV[3]
if redis.call('HEXISTS', day, 'used') == 0 then return 0 end
if redis.call('ZREM', leases, id .. ':' .. held) == 1 then
  redis.call('HINCRBY', day, 'held', string.format('%d', -tonumber(held)))
end
redis.call('HINCRBY', day, 'used', used)
return 1
`);
