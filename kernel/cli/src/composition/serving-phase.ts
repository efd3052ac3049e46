import path from 'node:path'
import { type Configuration, configurationToken } from '@agent-service/kernel-core/config'
import { databaseToken, type KernelDatabase } from '@agent-service/kernel-core/database/open'
import { type EventTypes, eventTypesToken } from '@agent-service/kernel-core/events'
import { type HttpServer, httpServerToken } from '@agent-service/kernel-core/http'
import { basePathOf, servesOthers } from '@agent-service/kernel-core/http/request'
import { type DispatchTable, routeTableToken } from '@agent-service/kernel-core/http/routing'
import { type Redactor, redactorToken } from '@agent-service/kernel-core/log'
import {
  type ContributionRegistry,
  contributionsToken,
  type DiscoveredPlugin,
  discoveredPluginsToken,
  type PluginHost,
  type PluginReport,
  pluginCounts,
  pluginHostToken,
  unreadSources,
} from '@agent-service/kernel-core/plugins'
import { loggerToken, scopeToken } from '@agent-service/kernel-core/process'
import { type Scheduler, schedulerToken } from '@agent-service/kernel-core/scheduler'
import { createApiDescriptionRoute } from '@agent-service/kernel-services/api-description'
import {
  type PluginData,
  type PluginDataDeletions,
  type PluginRemains,
  pluginDataDeletionsToken,
  pluginDataToken,
  pluginRemainsToken,
} from '@agent-service/kernel-services/plugin-data'
import { createLogRoutes } from '@agent-service/kernel-services/recent-log'
import { type UrlService, urlsToken } from '@agent-service/kernel-services/urls'
import { createRestartRoutes, type RestartOrder, type Restarts, restartsToken } from '@agent-service/kernel-settings/restart'
import { openConfigurationRoutes } from '@agent-service/kernel-settings/routes'
import { type SetUp, setUpToken } from '@agent-service/kernel-settings/set-up'
import type { Logger } from '@agent-service/sdk'
import type { DisposableScope } from '@agent-service/sdk/host'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import { removePartialBackups } from '../backups/index.js'
import { createPluginDataRoutes } from '../plugin-data/index.js'
import { apiTexts } from './api-texts.js'
import { backupFolderOf } from './backup-service.js'
import { openHealthRoutes, serviceState } from './health-routes.js'
import type { KernelOptions } from './kernel-options.js'
import { createPluginRoutes } from './plugin-routes.js'
import { type PluginServices, pluginServicesToken } from './plugin-services.js'
import type { Prepared } from './prepare.js'
import { optionsToken, preparedToken } from './service-tokens.js'
import { type OpenedServices, servicesToken } from './services-phase.js'

export const servingPhaseToken: InjectionToken<ServingPhase> = Symbol('serving-phase')

/**
 * The running service: its address, the report of its plugins, and the restart that an admin may
 * request.
 */
export interface Serving {
  readonly url: string
  /** What the person who starts the service needs to get in. */
  readonly entrance: Entrance
  readonly report: readonly PluginReport[]
  /** Resolves when the kernel is to be stopped and another one started. */
  readonly restartOrdered: Promise<RestartOrder>
}

/** How long at most what is under way may take when the next kernel waits, in milliseconds. */
const restartDrainMs = 1_000

/** Where people get in, and what the first one needs. */
export interface Entrance {
  /** The configured address of the pages, if there is one. */
  readonly address: string | undefined
  /** There is no account yet. */
  readonly needsAccount: boolean
  /** The code that the first account requires, also from this machine. */
  readonly setupCode: string | undefined
}

/** The last phase: routes and jobs, the listener, the plugins, readiness. */
@injectable()
export class ServingPhase {
  constructor(
    @inject(optionsToken) private readonly options: KernelOptions,
    @inject(preparedToken) private readonly prepared: Prepared,
    @inject(configurationToken) private readonly configuration: Configuration,
    @inject(scopeToken) private readonly scope: DisposableScope,
    @inject(loggerToken) private readonly log: Logger,
    @inject(urlsToken) private readonly urls: UrlService,
    @inject(setUpToken) private readonly setUp: SetUp,
    @inject(databaseToken) private readonly database: KernelDatabase,
    @inject(servicesToken) private readonly services: OpenedServices,
    @inject(routeTableToken) private readonly routes: DispatchTable,
    @inject(discoveredPluginsToken) private readonly discovered: readonly DiscoveredPlugin[],
    @inject(eventTypesToken) private readonly eventTypes: EventTypes,
    @inject(schedulerToken) private readonly scheduler: Scheduler,
    @inject(httpServerToken) private readonly http: HttpServer,
    @inject(pluginHostToken) private readonly host: PluginHost,
    @inject(contributionsToken) private readonly contributions: ContributionRegistry,
    @inject(pluginServicesToken) private readonly pluginServices: PluginServices,
    @inject(redactorToken) private readonly redactor: Redactor,
    @inject(pluginDataToken) private readonly pluginData: PluginData,
    @inject(pluginDataDeletionsToken) private readonly deletions: PluginDataDeletions,
    @inject(pluginRemainsToken) private readonly pluginRemains: PluginRemains,
    @inject(restartsToken) private readonly restarts: Restarts,
  ) {}

  async open(): Promise<Serving> {
    const { scope, http, services, log } = this
    await this.#addRoutesAndJobs()
    http.setStep('plugins')
    const addresses = await http.listen()
    scope.add('http', () => http.close())
    this.urls.listensOn(addresses)
    await services.auth.noteIssuer()

    const report = await this.#startPlugins()
    this.#showHealth()
    http.ready()
    services.auth.continueErasures()
    const deletions = this.deletions.continueAll()
    scope.add('deletions of data of plugins', () => deletions)
    scope.add('drain', () => this.#drain())
    await this.#noteRestart()
    const setupCode = await services.auth.pendingSetupCode()
    if (setupCode !== undefined) log.info(this.#setupHint(setupCode))
    const { host, port } = addresses
    const { server } = this.configuration
    const entrance: Entrance = {
      address: server.frontend_url ?? server.base_url,
      needsAccount: setupCode !== undefined,
      setupCode: servesOthers(server) ? setupCode : undefined,
    }
    return { entrance, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, report, restartOrdered: this.restarts.ordered }
  }

  /** By then a restart has waited for what may not be interrupted. */
  #drain(): Promise<void> {
    const restarting = this.#isRestarting()
    const limitMs = this.configuration.server.shutdown_timeout_secs * 1000
    return this.http.drain(restarting ? Math.min(limitMs, restartDrainMs) : limitMs, { restarting })
  }

  /** Whether the kernel stops for the next one. */
  #isRestarting(): boolean {
    return this.restarts.status() === 'restarting'
  }

  async #addRoutesAndJobs(): Promise<void> {
    const { scope, scheduler, services, host, database, setUp, contributions, redactor } = this
    const { audit, policies } = services
    const { configuration, examination, ruled, recentLines } = this.prepared
    await removePartialBackups(backupFolderOf(this.configuration))
    const configurationRoutes = openConfigurationRoutes({
      installation: this.options,
      running: { configuration, examination, consent: ruled.consent },
      choose: (paths) => setUp.choose(paths),
      audit,
    })
    const restartRoutes = createRestartRoutes({ restarts: this.restarts, installation: this.options, logger: this.log, audit })
    const description = createApiDescriptionRoute({
      table: this.routes,
      texts: () => ({
        version: this.options.version,
        basePath: basePathOf(configuration.server.backend_url ?? configuration.server.base_url),
        ...apiTexts(this.discovered, this.eventTypes),
      }),
    })
    const pluginData = { data: this.pluginData, unreadSources: unreadSources(this.discovered) }
    const own = [
      description,
      ...createPluginRoutes({ host, audit, discovered: this.discovered, contributions: this.contributions }),
      ...createPluginDataRoutes({ host, ...pluginData, deletions: this.deletions, remains: this.pluginRemains }),
      ...createLogRoutes({ lines: recentLines, redactor }),
      ...openHealthRoutes({
        ...{ version: this.options.version, configuration: this.configuration, signal: scope.signal },
        ...{ database, policies, host, contributions, redactor },
        pluginData: { ...pluginData, deletions: this.deletions },
      }),
      ...configurationRoutes,
      ...restartRoutes,
    ]
    for (const route of [...services.routes, ...own]) scope.add(`route ${route.operationId}`, this.routes.add(route, { id: 'kernel' }))
    for (const job of services.jobs) scope.add(`job ${job.id}`, scheduler.add(job, { pluginId: 'kernel' }))
    scope.add('scheduler', () => scheduler.drain(this.#isRestarting() ? restartDrainMs : 10_000))
  }

  async #startPlugins(): Promise<readonly PluginReport[]> {
    const { host } = this
    this.scope.add('plugins', () => host.stop(this.#isRestarting() ? { drainMs: restartDrainMs } : {}))
    const report = await host.start(this.pluginServices)
    const late = report.filter(({ state }) => state === 'starting').map(({ id }) => id)
    this.log.info(`Plugins: ${pluginCounts(report)}.`, late.length === 0 ? {} : { still_starting: late })
    return report
  }

  /** Connects `/readyz` to the database and the policies. */
  #showHealth(): void {
    const { database, http, options, configuration } = this
    const { policies } = this.services
    const show = (): void => http.setStep(serviceState({ database, policies }).impaired ?? undefined)
    this.scope.add('health', database.onHealthChange(show))
    policies.onFailureChange(show)
    show()
    // The shipped policies are known to be sound; a deployment's own folder is loaded now rather
    // than when it is needed. Problems are reported in the log and in /readyz.
    const areOwn = path.resolve(configuration.storage.shared_config_dir) !== path.resolve(options.installedResources)
    if (areOwn || policies.failure() !== undefined) policies.load().catch(show)
  }

  /** The end of a restart in place, if that is what the kernel was started for. */
  async #noteRestart(): Promise<void> {
    const { restart } = this.options
    if (!restart) return
    const { actor, waitedMs: waited_ms, beganAt } = restart
    const took_ms = Math.round(performance.now() - beganAt)
    this.log.info('The service was restarted in place.', { took_ms, waited_ms })
    await this.services.audit.note({ kind: 'service.restarted', actor, subjectId: null, details: { took_ms, waited_ms } })
  }

  #setupHint(code: string): string {
    return servesOthers(this.configuration.server)
      ? `There is no account yet. The first person to sign up with the code ${code} becomes the admin.`
      : `There is no account yet. The first person to sign up from this machine becomes the admin; from elsewhere, the code ${code} is required.`
  }
}
