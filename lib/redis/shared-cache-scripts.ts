import { redisNow, toRedisScript } from './redis.ts';

// Keys: the value, its lock. The lock is a lease: it expires unless its owner renews it.

/** Returns a value younger than the TTL with its age, else takes the lock if it is free and returns the time. */
export const getOrLockScript = toRedisScript(`${redisNow}
local value = redis.call('GET', KEYS[1])
if value then
  local age = now - tonumber(string.match(value, '^%d+'))
  if age < tonumber(ARGV[3]) then return { 'value', tostring(age), value } end
end
if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return { 'load', string.format('%.0f', now) }
end
return { 'wait' }
`);

export const renewScript = toRedisScript(`
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[2], ARGV[2])
`);

/**
 * Stores the value if there is one, and releases the lock; nothing of that if another instance has taken the lock since.
 * So a reader that was frozen past its lease never replaces a newer value.
 */
export const storeAndUnlockScript = toRedisScript(`
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
if ARGV[3] ~= '' then redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2]) end
return 1
`);
