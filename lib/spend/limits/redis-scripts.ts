import { redisNow, toRedisScript } from '#lib/shared-state/redis.ts';

/** In arguments: there is no such limit. */
export const noBound = -1;
/** In arguments: storage was not asked, or is away. */
export const unknown = -1;

/**
 * `toFitting` of `decide.ts`. Numbers go through `whole`: Redis accepts neither Lua's -0 nor its 1e+15 as an integer.
 * In the arguments, each account has its limits of tokens and of dollars, and how long it is remembered.
 */
const library = `
local function whole(number) return string.format('%.0f', number + 0) end
local function fits(fixed, per, left)
  if per > 0 then return math.floor((left - fixed) / per) end
  if fixed <= left then return math.huge end
  return -1
end
local function cost(fixed, per, tokens) return math.max(0, math.ceil(fixed + tokens * per)) end
local function read(key)
  local values = redis.call('HMGET', key, 'tokens', 'held', 'usd', 'heldUsd')
  return { tokens = tonumber(values[1] or '-1'), held = tonumber(values[2] or '0'),
    usd = tonumber(values[3] or '0'), heldUsd = tonumber(values[4] or '0') }
end
local function hold(key, tokens, usd)
  redis.call('HINCRBY', key, 'held', whole(tokens))
  redis.call('HINCRBY', key, 'heldUsd', whole(usd))
end
local function lease(id, tokens, usd) return id .. ':' .. whole(tokens) .. ':' .. whole(usd) end
`;

/**
 * KEYS: since when Redis has its data. Returns that moment by the clock of Redis, and how many ms have passed. If Redis has
 * lost its data, they begin now.
 */
export const sinceScript = toRedisScript(`${library}
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
redis.call('SET', KEYS[1], whole(now), 'NX')
local since = redis.call('GET', KEYS[1])
return { since, whole(math.floor((now - since) / 1000)) }
`);

/**
 * The counters of `memory-limits.ts` as a Redis script, for all accounts of a request in one step.
 *
 * KEYS: of each account and period its use (a hash) and its leases (a sorted set: reservations by expiry, so that
 * an instance that dies does not keep anything reserved until midnight); then since when Redis has its data.
 * ARGV: the reservation's id, its lease in ms, the most tokens to reserve, the fewest, their fixed price, their
 * price each, since when the instance knows the data; then of each account its limits, and tokens and dollars used in
 * storage (-1: unknown). The larger number counts: storage lacks what was used in the last second, Redis what a killed
 * instance had under way.
 * Returns: tokens reserved (or `rejected`, `unknown`, or `lost`: the data are others), how many more fit; then of each
 * account, before the reservation: tokens used and reserved, dollars used and reserved.
 */
export const reserveScript = toRedisScript(`${library}${redisNow}
local id, expiry = ARGV[1], whole(now + ARGV[2])
local most, fewest = tonumber(ARGV[3]), tonumber(ARGV[4])
local fixed, per, since = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
local count = math.floor(#KEYS / 2)
if redis.call('GET', KEYS[#KEYS]) ~= since then return { 'lost' } end

local uses = {}
for i = 1, count do
  local key, leases, at = KEYS[2 * i - 1], KEYS[2 * i], 3 + 5 * i
  local ttl, tokens, usd = ARGV[at + 2], tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now)) do
    local held, heldUsd = string.match(member, ':(%d+):(%d+)$')
    redis.call('ZREM', leases, member)
    hold(key, 0 - held, 0 - heldUsd)
  end
  local use = read(key)
  if use.tokens < 0 and tokens < 0 then return { 'unknown' } end
  if tokens > use.tokens then redis.call('HSET', key, 'tokens', whole(tokens)) end
  if usd > use.usd then redis.call('HSET', key, 'usd', whole(usd)) end
  if tokens >= 0 then redis.call('PEXPIRE', key, ttl) end
  uses[i] = read(key)
end

local left, spent = math.huge, false
for i = 1, count do
  local use, at = uses[i], 3 + 5 * i
  local tokens, usd = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  if tokens >= 0 then
    if tokens - use.tokens <= 0 then spent = true end
    left = math.min(left, tokens - use.tokens - use.held)
  end
  if usd >= 0 then
    if usd - use.usd <= 0 then spent = true end
    left = math.min(left, fits(fixed, per, usd - use.usd - use.heldUsd))
  end
end

local reply = { 'rejected', '0' }
if not spent and fewest <= left then
  local tokens = math.min(most, left)
  reply = { whole(tokens), left == math.huge and 'Infinity' or whole(left - tokens) }
  for i = 1, count do
    local key, leases = KEYS[2 * i - 1], KEYS[2 * i]
    hold(key, tokens, cost(fixed, per, tokens))
    redis.call('ZADD', leases, expiry, lease(id, tokens, cost(fixed, per, tokens)))
    redis.call('PEXPIRE', leases, ARGV[3 + 5 * i + 2])
  end
end
for _, use in ipairs(uses) do
  reply[#reply + 1] = whole(use.tokens)
  reply[#reply + 1] = whole(use.held)
  reply[#reply + 1] = whole(use.usd)
  reply[#reply + 1] = whole(use.heldUsd)
end
return reply
`);

/**
 * Extends a reservation. KEYS: as above. ARGV: its id, its lease in ms, tokens to add, its tokens so far, its dollars so
 * far, the fixed price, the price each, since when the instance knows the data; then of each account its limits. Returns
 * how many tokens and dollars were added, or `lost`. A lease that has expired, or that Redis has lost, starts again: to
 * add none does so whatever was lost.
 */
export const extendScript = toRedisScript(`${library}${redisNow}
local id, expiry, more = ARGV[1], whole(now + ARGV[2]), tonumber(ARGV[3])
local before, beforeUsd = tonumber(ARGV[4]), tonumber(ARGV[5])
local fixed, per, since = tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8]
local count, left = math.floor(#KEYS / 2), more
if more > 0 and redis.call('GET', KEYS[#KEYS]) ~= since then return { 'lost' } end
for i = 1, count do
  local key, leases, at = KEYS[2 * i - 1], KEYS[2 * i], 6 + 3 * i
  if redis.call('ZREM', leases, lease(id, before, beforeUsd)) == 0 then hold(key, before, beforeUsd) end
  local use, tokens, usd = read(key), tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  if tokens >= 0 then left = math.min(left, tokens - math.max(0, use.tokens) - use.held) end
  if usd >= 0 then
    left = math.min(left, fits(fixed + before * per - beforeUsd, per, usd - use.usd - use.heldUsd))
  end
end
local added = math.max(0, left)
local addedUsd = cost(fixed, per, before + added) - beforeUsd
for i = 1, count do
  local key, leases, at = KEYS[2 * i - 1], KEYS[2 * i], 6 + 3 * i
  hold(key, added, addedUsd)
  redis.call('ZADD', leases, expiry, lease(id, before + added, beforeUsd + addedUsd))
  redis.call('PEXPIRE', key, ARGV[at + 2])
  redis.call('PEXPIRE', leases, ARGV[at + 2])
end
return { whole(added), whole(addedUsd) }
`);

/**
 * Settles a reservation. KEYS: as above, without the last. ARGV: its id, tokens and dollars reserved, tokens and dollars
 * used, in how many ms storage is sure to have them; then of each account how long it is remembered.
 * Where Redis has lost what was used before, what is used now is reserved until storage has it.
 */
export const settleScript = toRedisScript(`${library}${redisNow}
local id, held, heldUsd, tokens, usd = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local stored = whole(now + ARGV[6])
for i = 1, #KEYS / 2 do
  local key, leases, ttl = KEYS[2 * i - 1], KEYS[2 * i], ARGV[6 + i]
  if redis.call('ZREM', leases, lease(id, held, heldUsd)) == 1 then hold(key, 0 - held, 0 - heldUsd) end
  if redis.call('HEXISTS', key, 'tokens') == 1 then
    redis.call('HINCRBY', key, 'tokens', tokens)
    redis.call('HINCRBY', key, 'usd', usd)
  elseif tonumber(tokens) > 0 or tonumber(usd) > 0 then
    hold(key, tokens, usd)
    redis.call('ZADD', leases, stored, lease(id, tokens, usd))
    redis.call('PEXPIRE', key, ttl)
    redis.call('PEXPIRE', leases, ttl)
  end
end
return 1
`);
