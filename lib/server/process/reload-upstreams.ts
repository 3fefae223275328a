import { type Environment, loadConfig } from '#lib/config/config.ts';
import type { Services } from '#lib/services.ts';

type Parts = Pick<Services, 'config' | 'aiProxy' | 'log'>;

/** Reads AI_UPSTREAMS_FILE again on SIGHUP. If it is invalid, the previous upstreams stay. */
export function reloadUpstreamsOnSignal(
  { config, aiProxy, log }: Parts,
  environment: Environment,
): void {
  process.on('SIGHUP', () => {
    if (config.ai.upstreams === null) {
      log.info({}, 'nothing to reload: AI_UPSTREAMS_FILE is not set');
      return;
    }
    try {
      const { upstreams } = loadConfig(environment).ai;
      if (upstreams === null) return;
      aiProxy.replaceUpstreams(upstreams);
      log.info({ upstreams: upstreams.upstreams.map(({ name }) => name) }, 'upstreams read again');
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      log.error({ problem }, 'the previous upstreams stay');
    }
  });
}
