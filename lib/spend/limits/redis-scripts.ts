import { redisNow, toRedisScript } from '#lib/redis/redis.ts';

/** Redis accepts neither Lua's -0 nor its 1e+15 as an integer. */
const whole = `
local function whole(number) return string.format('%.0f', number + 0) end
`;

/**
 * Reserves for all accounts of a request in one step, as `decide.ts` does.
 *
 * KEYS: of each account and period a hash: `tokens` and `usd` used, and each reservation by its id, as
 * `tokens:usd:expiry`.
 * ARGV: JSON of the id, its TTL in ms, the demand (left out: only reads); and of each account its limits, how long it is
 * remembered, and what is used in storage (-1: unknown). The larger number counts: storage lacks what was used in the last
 * second, Redis what a killed instance had running.
 * Returns `granted`, `rejected` or, where storage has to be asked, `unknown`; then of each account, before the
 * reservation: tokens and dollars used, tokens and dollars reserved.
 */
export const reserveScript = toRedisScript(`${whole}${redisNow}
local call = cjson.decode(ARGV[1])

local function read(key)
  local use, values = { tokens = -1, usd = 0, reserved = 0, reservedUsd = 0 }, redis.call('HGETALL', key)
  for i = 1, #values, 2 do
    local name, value = values[i], values[i + 1]
    local tokens, usd, expires = string.match(value, '^(%d+):(%d+):(%d+)$')
    if tokens == nil then
      use[name] = tonumber(value)
    elseif tonumber(expires) <= now then
      redis.call('HDEL', key, name)
    else
      use.reserved = use.reserved + tokens
      use.reservedUsd = use.reservedUsd + usd
    end
  end
  return use
end

local uses, bounds = {}, {}
local function bound(limit, used, reserved, price)
  if limit >= 0 then
    bounds[#bounds + 1] = { unspent = limit - used, free = limit - used - reserved, price = price }
  end
end
for i, key in ipairs(KEYS) do
  local use, account = read(key), call.accounts[i]
  if use.tokens < 0 and account.used.tokens < 0 then return { 'unknown' } end
  use.tokens = math.max(use.tokens, account.used.tokens)
  use.usd = math.max(use.usd, account.used.nanoUsd)
  redis.call('HSET', key, 'tokens', whole(use.tokens), 'usd', whole(use.usd))
  redis.call('PEXPIRE', key, whole(account.ttlMs))
  for _, value in ipairs({ use.tokens, use.usd, use.reserved, use.reservedUsd }) do
    uses[#uses + 1] = whole(value)
  end
  local price = call.demand and call.demand.price
  bound(account.tokens, use.tokens, use.reserved, { fixed = 0, perPromptToken = 1, perOutputToken = 1 })
  bound(account.nanoUsd, use.usd, use.reservedUsd, price)
end
if not call.demand then return { 'read', unpack(uses) } end

local demand = call.demand
local prompt, fewest = demand.promptTokens, demand.outputTokensMin
local function fit(left, per)
  if per > 0 then return math.floor(left / per) end
  return left >= 0 and math.huge or -1
end
local function outputs(price, prompt, left)
  return fit(left - price.fixed - price.perPromptToken * prompt, price.perOutputToken)
end
local output, spent = demand.outputTokensMax, false
for _, bound in ipairs(bounds) do
  local needed = bound.free == bound.unspent and prompt or demand.promptTokensExpected
  output = math.min(output, outputs(bound.price, needed, bound.free))
  spent = spent or bound.unspent <= 0 or outputs(bound.price, prompt, bound.unspent) < fewest
end
if spent or output < fewest then return { 'rejected', unpack(uses) } end

local fitting, price = demand.promptTokensExpected, demand.price
for _, bound in ipairs(bounds) do
  local left = bound.free - bound.price.fixed - bound.price.perOutputToken * output
  fitting = math.min(fitting, fit(left, bound.price.perPromptToken))
end
local granted = math.max(prompt, fitting)
local cost = price.fixed + price.perPromptToken * granted + price.perOutputToken * output
for _, key in ipairs(KEYS) do
  local tokens, usd = string.match(redis.call('HGET', key, call.id) or '0:0:', '^(%d+):(%d+):')
  tokens, usd = tokens + granted + output, usd + math.max(0, math.ceil(cost - 0.001))
  redis.call('HSET', key, call.id, whole(tokens) .. ':' .. whole(usd) .. ':' .. whole(now + call.ttlMs))
end
return { 'granted', unpack(uses) }
`);

/** Renews reservations. KEYS: of each its hash, as above. ARGV: their TTL in ms, then the id of each. */
export const renewScript = toRedisScript(`${whole}${redisNow}
local expiry = whole(now + ARGV[1])
for i, key in ipairs(KEYS) do
  local amounts = string.match(redis.call('HGET', key, ARGV[i + 1]) or '', '^%d+:%d+:')
  if amounts then redis.call('HSET', key, ARGV[i + 1], amounts .. expiry) end
end
`);

/**
 * Settles a reservation. KEYS: as above. ARGV: its id, tokens and dollars used. Where Redis does not know what was used
 * before, storage tells it all.
 */
export const settleScript = toRedisScript(`
for _, key in ipairs(KEYS) do
  redis.call('HDEL', key, ARGV[1])
  if redis.call('HEXISTS', key, 'tokens') == 1 then
    redis.call('HINCRBY', key, 'tokens', ARGV[2])
    redis.call('HINCRBY', key, 'usd', ARGV[3])
  end
end
`);

/**
 * Counts a request of the last minute. KEYS: its requests by time. ARGV: requests a minute, an id. Returns: whether it
 * was granted, requests of the minute, ms until it is empty, ms to wait.
 */
export const countRequestScript = toRedisScript(`${redisNow}
local minute, limit = KEYS[1], tonumber(ARGV[1])
redis.call('ZREMRANGEBYSCORE', minute, '-inf', now - 60000)
local count, granted = redis.call('ZCARD', minute), 0
if count < limit then
  granted, count = 1, count + 1
  redis.call('ZADD', minute, now, ARGV[2])
  redis.call('PEXPIRE', minute, 60000)
end
local function expires(index) return redis.call('ZRANGE', minute, index, index, 'WITHSCORES')[2] + 60000 - now end
local reset = count > 0 and expires(-1) or 0
local wait = count >= limit and count > 0 and expires(count - limit) or 0
return { granted, count, reset, wait }
`);
