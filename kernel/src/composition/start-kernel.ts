import 'reflect-metadata'
import path from 'node:path'
import { ServiceError } from '@agent-service/sdk'
import { createDisposableScope, type DisposableScope } from '@agent-service/sdk/host'
import type { DependencyContainer } from 'tsyringe'
import type { AuditEntry } from '../audit/audit-log.js'
import type { Auth } from '../auth/index.js'
import { type ConfigurationRoutes, openConfigurationRoutes } from '../config/routes/configuration-routes.js'
import { removePartialBackups } from '../database/folder/leftovers.js'
import { restrictFolder } from '../disk/restrict-modes.js'
import { servesOthers } from '../http/request/client-address.js'
import { redactError } from '../log/index.js'
import { createPluginRoutes, type PluginHost, type PluginReport } from '../plugins/index.js'
import { createBackupRoutes } from './backup-routes.js'
import { composeKernel } from './composition-root.js'
import type { KernelOptions } from './kernel-options.js'
import { createLateRules } from './late-rules.js'
import { openServices } from './open-services.js'
import { openStore } from './open-store.js'
import { type Prepared, prepare } from './prepare.js'
import * as tokens from './tokens.js'

/** A kernel that runs. */
export interface Kernel {
  /** Where it listens: `http://127.0.0.1:3001`. */
  readonly url: string
  readonly report: readonly PluginReport[]
  readonly container: DependencyContainer
  readonly plugins: PluginHost
  readonly auth: Auth
  /**
   * Resolves when an administrator has asked for a restart and the configuration holds. Whoever started the kernel then stops it and starts a new
   * one; nothing happens by itself.
   */
  readonly restartRequested: Promise<void>
  /** Drains and stops everything in reverse order. May be called again. */
  stop(): Promise<void>
}

/**
 * Starts the service, step by step: configuration, log, driver, database, secrets, events, accounts, HTTP, plugins. There is no second way to start
 * it. @throws the first step's error, after everything that was opened has been closed again.
 */
export async function startKernel(options: KernelOptions): Promise<Kernel> {
  const prepared = await prepare(options)
  const { configuration, examination, ruled, log } = prepared
  const scope = createDisposableScope({ name: 'kernel', disposerLimitMs: (configuration.server.shutdown_timeout_secs + 30) * 1000 })
  scope.add('log', () => log.flush())
  try {
    const container = composeKernel(options, prepared, scope)
    for (const warning of configuration.warnings) log.logger.warn(warning)
    const choose = (paths: readonly string[]): Promise<void> => container.resolve(tokens.setUpToken).choose(paths)
    const note = (entry: AuditEntry): Promise<void> => container.resolve(tokens.auditToken).note(entry)
    const running = { configuration, examination, consent: ruled.consent }
    const configurationRoutes = openConfigurationRoutes({ installation: options, running, logger: log.logger, choose, note })
    return await bringUp(container, scope, options, prepared, configurationRoutes)
  } catch (error) {
    if (!ServiceError.isInstance(error)) log.logger.error('The start failed.', { error })
    await scope.dispose(error)
    throw redactError(error, prepared.redactor)
  }
}

async function bringUp(
  container: DependencyContainer,
  scope: DisposableScope,
  options: KernelOptions,
  prepared: Prepared,
  configurationRoutes: ConfigurationRoutes,
): Promise<Kernel> {
  const startedAt = performance.now()
  const configuration = container.resolve(tokens.configurationToken)
  const logger = container.resolve(tokens.loggerToken)
  const scheduler = container.resolve(tokens.schedulerToken)
  const routes = container.resolve(tokens.routeTableToken)
  const http = container.resolve(tokens.httpServerToken)

  const { data_dir: dataFolder } = configuration.storage
  await restrictFolder(dataFolder, { log: logger, content: 'none' })
  await restrictFolder(`${dataFolder}/system`, { log: logger })
  await restrictFolder(`${dataFolder}/users`, { log: logger, content: 'folders' })
  const { host, kernelDatabase } = await openStore(container, scope, {
    ...options,
    demandConfiguration: createLateRules(prepared),
    isOff: prepared.isOff,
  })
  const services = await openServices(container, scope, kernelDatabase, options)
  const { auth, policies } = services

  const { audit } = services
  const backups = `${configuration.storage.data_dir}/system/backups`
  await removePartialBackups(backups)
  const backupRoutes = createBackupRoutes({ database: kernelDatabase, audit, folder: backups })
  for (const route of [...services.routes, ...createPluginRoutes({ host, audit }), ...backupRoutes, ...configurationRoutes.routes]) {
    scope.add(`route ${route.operationId}`, routes.add(route, { id: 'kernel' }))
  }
  for (const job of services.jobs) scope.add(`job ${job.id}`, scheduler.add(job, { pluginId: 'kernel' }))
  scope.add('scheduler', () => scheduler.drain(10_000))

  http.setStep('plugins')
  const { host: address, port } = await http.listen()
  scope.add('http', () => http.close())
  container.resolve(tokens.urlsToken).listensOn(port)
  await auth.noteIssuer()

  scope.add('plugins', () => host.stop())
  const report = await host.start()
  const active = report.filter((plugin) => plugin.state === 'active').length
  const withCode = report.filter((plugin) => plugin.state !== 'declared').length
  const late = report.filter((plugin) => plugin.state === 'starting').map(({ id }) => id)
  logger.info(`${active} of ${withCode} plugins run.`, late.length === 0 ? {} : { still_starting: late })

  const showHealth = (): void => {
    const health = kernelDatabase.health()
    const impaired = policies.failure() === undefined ? undefined : 'policies_unavailable'
    http.setStep(health.writable ? impaired : health.code)
  }
  scope.add('health', kernelDatabase.onHealthChange(showHealth))
  policies.onFailureChange(showHealth)
  showHealth()
  http.ready()
  auth.continueErasures()
  // The policies that ship are known to be sound; a folder of the deployment's own is looked at now rather than when somebody needs it. What is wrong
  // is in the log and in /readyz.
  const areOwn = path.resolve(configuration.storage.shared_config_dir) !== path.resolve(options.installedResources)
  if (areOwn || policies.failure() !== undefined) policies.load().catch(showHealth)
  scope.add('drain', () => http.drain(configuration.server.shutdown_timeout_secs * 1000))

  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`
  const setupCode = await auth.pendingSetupCode()
  if (setupCode !== undefined) {
    logger.info(
      servesOthers(configuration.server)
        ? `There is no account yet. Whoever signs up first with the code ${setupCode} becomes the admin.`
        : `There is no account yet. Whoever signs up from this machine first becomes the admin; from elsewhere the code ${setupCode} is needed.`,
    )
  }
  logger.info('The service is ready.', { url, version: options.version, took_ms: Math.round(performance.now() - startedAt) })

  return {
    url,
    report,
    container,
    plugins: host,
    auth,
    restartRequested: configurationRoutes.restartRequested,
    async stop() {
      logger.info('The service is stopping.')
      for (const error of await scope.dispose(new DOMException('The service is stopping.', 'AbortError'))) {
        logger.warn('Something did not stop in order.', { error })
      }
    },
  }
}
