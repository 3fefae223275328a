import { z } from 'zod';
import {
  hostToListenOn,
  port,
  webUrl,
  wholeNumberIn,
  wholeNumberSetting,
  workers,
} from '../setting-schemas.ts';
import { setting } from './setting.ts';

export const serverSettings = {
  HOST: setting(hostToListenOn.optional(), {
    meaning: 'address to listen on, such as `127.0.0.1`',
    expected: 'an IP address or a host name to listen on, such as 127.0.0.1',
    unset: 'all',
  }),
  PORT: setting(wholeNumberSetting(0, 65_535, 3000), {
    meaning: 'port of the web server; 0 for any free port',
    expected: 'a port from 1 to 65535, or 0 for any that is free',
  }),
  WORKERS: setting(workers, {
    meaning: 'processes that serve on `PORT`; `max`: one for each core',
    expected: 'a whole number from 1 to 64, or max for one worker for each core of the machine',
  }),
  WORKER_MEMORY_BYTES_MAX: setting(wholeNumberIn(67_108_864, 1_099_511_627_776).optional(), {
    meaning: 'memory above which a worker is [replaced](operate/monitoring.md#sizes)',
    expected: 'a whole number of bytes from 67108864 (64 MiB) to 1099511627776',
  }),
  TRUST_PROXY: setting(wholeNumberSetting(0, 10, 0), {
    meaning: 'how many proxies in front add to `X-Forwarded-For`',
    expected: 'the number of proxies in front that add to X-Forwarded-For, from 0 to 10',
  }),
  SHUTDOWN_SECONDS: setting(wholeNumberSetting(0, 3600, 10), {
    meaning: 'how long responses may take to finish after SIGTERM',
    expected: 'a whole number from 0 to 3600',
  }),
} as const;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const monitoringSettings = {
  LOG_LEVEL: setting(z.enum(logLevels).default('info'), {
    meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
    expected: `one of ${logLevels.join(', ')}`,
  }),
  LOG_REQUESTS: setting(z.enum(['all', 'errors', 'none']).default('errors'), {
    meaning: 'which requests are logged: `all`, `errors` (5xx and 401) or `none`',
    expected: 'all, errors or none',
  }),
  METRICS_PORT: setting(port.optional(), {
    meaning: 'port of `/metrics` for Prometheus; must not be public',
    expected: 'a port from 1 to 65535, other than PORT',
  }),
  METRICS_HOST: setting(hostToListenOn.default('127.0.0.1'), {
    meaning: 'address to serve metrics on; `0.0.0.0` for all',
    expected: 'an IP address or a host name to serve metrics on, such as 127.0.0.1',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(webUrl.optional(), {
    meaning: 'collector to send traces to, such as `http://localhost:4318`',
    expected: 'the http(s) URL of an OpenTelemetry collector, such as http://localhost:4318',
  }),
} as const;
