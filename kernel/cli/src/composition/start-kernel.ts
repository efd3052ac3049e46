import 'reflect-metadata'
import type { Auth } from '@agent-service/kernel-accounts'
import { restrictFolder } from '@agent-service/kernel-core/disk'
import { type Log, redactError } from '@agent-service/kernel-core/log'
import { type PluginHost, pluginHostToken } from '@agent-service/kernel-core/plugins'
import { ServiceError } from '@agent-service/sdk'
import { createDisposableScope } from '@agent-service/sdk/host'
import type { DependencyContainer } from 'tsyringe'
import { composeKernel, openServices, openStore } from './composition-root.js'
import type { KernelOptions } from './kernel-options.js'
import { prepare } from './prepare.js'
import { type Serving, servingPhaseToken } from './serving-phase.js'

/** A running kernel. */
export interface Kernel extends Serving {
  readonly container: DependencyContainer
  readonly plugins: PluginHost
  readonly auth: Auth
  /** The log, which goes on after the stop. */
  readonly serviceLog: Log
  /** How long the stop may take: what is configured for work under way, and half a minute for all else. */
  readonly stopLimitSecs: number
  /**
   * Drains and stops everything in reverse order, and names what plugins left running. May be called
   * more than once.
   */
  stop(): Promise<void>
}

/**
 * Starts the service, phase by phase: configuration and log; driver and database; secrets, events,
 * accounts; HTTP and plugins. This is the only way to start it. @throws the error of the phase that
 * failed, after everything that was opened has been closed.
 */
export async function startKernel(options: KernelOptions): Promise<Kernel> {
  const prepared = await prepare(options)
  const { configuration, log } = prepared
  const stopLimitSecs = configuration.server.shutdown_timeout_secs + 30
  const scope = createDisposableScope({ name: 'kernel', disposerLimitMs: stopLimitSecs * 1000 })
  scope.add('log', () => log.flush())
  try {
    const startedAt = performance.now()
    const container = composeKernel(options, prepared, scope)
    const plugins = container.resolve(pluginHostToken)
    scope.add('what plugins left running', () => nameLeftRunning(plugins, log))
    for (const warning of configuration.warnings) log.logger.warn(warning)
    if (options.code?.from === 'single_files')
      log.logger.warn(
        'The service runs from single files, and so starts later and needs more memory. “npm run build” makes the bundle again.',
        { reason: options.code.reason },
      )
    const { data_dir: dataFolder } = configuration.storage
    await restrictFolder(dataFolder, { log: log.logger, content: 'none' })
    await restrictFolder(`${dataFolder}/system`, { log: log.logger })
    await restrictFolder(`${dataFolder}/users`, { log: log.logger, content: 'folders' })
    await openStore(container)
    const { auth } = await openServices(container)
    const serving = await container.resolve(servingPhaseToken).open()
    const took_ms = Math.round(performance.now() - startedAt)
    log.logger.info('The service is ready.', { url: serving.url, version: options.version, code: options.code?.from, took_ms })
    return {
      ...serving,
      container,
      plugins,
      auth,
      serviceLog: log,
      stopLimitSecs,
      async stop() {
        log.logger.info('The service is stopping.')
        for (const error of await scope.dispose(new DOMException('The service is stopping.', 'AbortError'))) {
          log.logger.warn('A part of the service did not stop cleanly.', { error })
        }
        log.flush()
      },
    }
  } catch (error) {
    if (!ServiceError.isInstance(error)) log.logger.error('The start failed.', { error })
    await scope.dispose(error)
    throw redactError(error, prepared.redactor)
  }
}

/** After all else has stopped: what is still open then is nothing that the kernel will close. */
function nameLeftRunning(plugins: PluginHost, { logger }: Log): void {
  for (const { pluginId, what } of plugins.takeLeftRunning())
    logger.warn(`Plugin “${pluginId}” left running: ${what}. The service does not wait for that.`, { plugin: pluginId })
}
