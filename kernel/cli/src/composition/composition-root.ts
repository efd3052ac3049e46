import path from 'node:path'
import { createAuditLog } from '@agent-service/kernel-accounts/audit'
import { createSystemClock } from '@agent-service/kernel-core/clock'
import { encryptionVariables, examineConfiguration } from '@agent-service/kernel-core/config'
import type { KernelDatabase } from '@agent-service/kernel-core/database'
import { createDurableFileSystem } from '@agent-service/kernel-core/disk'
import { createEventTypes, defaultEventLimits, UserEvents } from '@agent-service/kernel-core/events'
import { basePathOf } from '@agent-service/kernel-core/http/request'
import { createDispatchTable } from '@agent-service/kernel-core/http/routing'
import type { MetricSource } from '@agent-service/kernel-core/metrics'
import {
  ContributionRegistry,
  PluginHost,
  type PluginSettings,
  slotOfOnlyPlugin,
  slotsOfSections,
  unreadSources,
  type ValidPlugin,
} from '@agent-service/kernel-core/plugins'
import { createResources } from '@agent-service/kernel-core/resources'
import { Scheduler } from '@agent-service/kernel-core/scheduler'
import { createSecretCipher } from '@agent-service/kernel-core/secrets'
import { KernelEventSubscriptions } from '@agent-service/kernel-services/event-subscriptions'
import { createIdempotency, createIdempotencyStore } from '@agent-service/kernel-services/idempotency'
import { createJsonPool } from '@agent-service/kernel-services/json-threads'
import { createHttpMetrics, createMetricRegistry } from '@agent-service/kernel-services/metrics'
import { createStaticFiles, createWebInterfaces, webInterfacesToken } from '@agent-service/kernel-services/pages'
import {
  createPluginDataDeletions,
  createPluginRemains,
  createPluginSuccessions,
  PluginData,
} from '@agent-service/kernel-services/plugin-data'
import { createQuotas, limitMetrics } from '@agent-service/kernel-services/quotas'
import { logMetric } from '@agent-service/kernel-services/recent-log'
import { createRedaction, createSecrets, PluginSealedFields } from '@agent-service/kernel-services/secrets'
import { claimHosts, createSiteTable, openSites } from '@agent-service/kernel-services/sites'
import { ConfiguredUrls } from '@agent-service/kernel-services/urls'
import { openWebSockets } from '@agent-service/kernel-services/websocket'
import { examinedManifests } from '@agent-service/kernel-settings/installation'
import { createRestarts } from '@agent-service/kernel-settings/restart'
import { createStateDocuments } from '@agent-service/kernel-settings/state-documents'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import type { DisposableScope } from '@agent-service/sdk/host'
import { type DependencyContainer, instanceCachingFactory, Lifecycle, container as rootContainer } from 'tsyringe'
import { claimNamesOfEvents } from './api-texts.js'
import { createBackups } from './backup-service.js'
import { type HttpCollaborators, KernelHttpServer } from './kernel-http-server.js'
import type { KernelOptions } from './kernel-options.js'
import { pluginConfigurationInvalidError } from './plugin-configuration-invalid.js'
import { PluginServices, pluginServicesToken } from './plugin-services.js'
import type { Prepared } from './prepare.js'
import { type OpenedServices, ServicesPhase, servicesPhaseToken, servicesToken } from './services-phase.js'
import { ServingPhase, servingPhaseToken } from './serving-phase.js'
import { StorePhase, storePhaseToken } from './store-phase.js'
import * as tokens from './tokens.js'

const singleton = { lifecycle: Lifecycle.Singleton }

/**
 * Fills the container of one kernel, in the order in which its parts are created. Every token is
 * registered in this file and nowhere else: finished values as they are, everything else as a
 * singleton of this container, created when first needed.
 */
export function composeKernel(options: KernelOptions, prepared: Prepared, scope: DisposableScope): DependencyContainer {
  const { configuration, examination, discovered, log, redactor } = prepared
  const container = rootContainer.createChildContainer()

  // What the kernel was started with, and what is read before anything is opened.
  container.register(tokens.optionsToken, { useValue: options })
  container.register(tokens.preparedToken, { useValue: prepared })
  container.register(tokens.versionToken, { useValue: options.version })
  container.register(tokens.environmentToken, { useValue: options.environment })
  container.register(tokens.configurationToken, { useValue: configuration })
  container.register(tokens.discoveredPluginsToken, { useValue: discovered })
  container.register(tokens.loggerToken, { useValue: log.logger })
  container.register(tokens.redactorToken, { useValue: redactor })
  container.register(tokens.scopeToken, { useValue: scope })
  container.register(tokens.clockToken, { useValue: options.clock ?? createSystemClock() })
  container.register(tokens.resourcesToken, { useValue: createResources({ folder: configuration.storage.shared_config_dir }) })
  container.register(tokens.eventTypesToken, { useValue: createEventTypes(discovered.filter((plugin) => plugin.status === 'valid')) })
  container.register(tokens.eventLimitsToken, { useValue: { ...defaultEventLimits } })
  container.register(tokens.pluginSettingsToken, { useValue: pluginSettings(options, prepared) })

  // Before the database.
  const isReserved = encryptionVariables(examination.file.value)
  container.register(tokens.urlsToken, { useClass: ConfiguredUrls }, singleton)
  container.register(webInterfacesToken, { useValue: createWebInterfaces() })
  container.register(tokens.stateDocumentsToken, {
    useValue: createStateDocuments(`${configuration.storage.data_dir}/system`, createDurableFileSystem()),
  })
  container.register(tokens.secretsToken, { useValue: createSecrets({ environment: options.environment, redactor, isReserved }) })
  container.register(tokens.redactionToken, { useValue: createRedaction({ redactor }) })
  container.register(tokens.quotasToken, {
    useFactory: instanceCachingFactory((from) =>
      createQuotas({ clock: from.resolve(tokens.clockToken), log: log.logger.child({ module: 'quotas' }) }),
    ),
  })
  container.register(tokens.metricsToken, { useValue: createMetricRegistry() })
  container.register(tokens.restartsToken, {
    useFactory: instanceCachingFactory((from) =>
      createRestarts({
        clock: from.resolve(tokens.clockToken),
        limitMs: configuration.server.shutdown_timeout_secs * 1000,
        http: () => from.resolve(tokens.httpServerToken),
        logger: log.logger.child({ module: 'restarts' }),
      }),
    ),
  })
  container.register(tokens.contributionsToken, { useClass: ContributionRegistry }, singleton)
  const { base_url, backend_url, frontend_url, external_url, issuer_url } = configuration.server
  const ownUrls = [base_url, backend_url, frontend_url, external_url, issuer_url]
  const sites = createSiteTable({ ownUrls })
  claimHosts(discovered, { sites, log: log.logger, configurationOf: (manifest) => configuration.configurationOf(manifest) })
  const routes = createDispatchTable({ sites })
  claimNamesOfEvents(routes.schemaNames, discovered)
  container.register(tokens.routeTableToken, { useValue: routes })
  container.register(tokens.pluginHostToken, { useClass: PluginHost }, singleton)
  container.register(storePhaseToken, { useClass: StorePhase }, singleton)

  // Over the database: they need what `openStore` registers.
  container.register(tokens.pluginSealedFieldsToken, { useClass: PluginSealedFields }, singleton)
  container.register(tokens.pluginDataToken, { useClass: PluginData }, singleton)
  container.register(tokens.schedulerToken, { useClass: Scheduler }, singleton)
  container.register(tokens.eventSubscriptionsToken, { useClass: KernelEventSubscriptions }, singleton)
  container.register(tokens.eventOutboxToken, { useToken: tokens.eventSubscriptionsToken })
  container.register(tokens.eventsToken, { useClass: UserEvents }, singleton)
  container.register(tokens.auditToken, {
    useFactory: instanceCachingFactory((from) =>
      createAuditLog({ database: from.resolve(tokens.ownDatabaseToken), clock: from.resolve(tokens.clockToken), redactor }),
    ),
  })
  container.register(tokens.pluginRemainsToken, {
    useFactory: instanceCachingFactory((from) =>
      createPluginRemains({
        database: from.resolve(tokens.ownDatabaseToken),
        subscriptions: from.resolve(tokens.eventSubscriptionsToken),
        cacheFolder: configuration.storage.cache_dir,
        usersFolder: path.join(configuration.storage.data_dir, 'users'),
      }),
    ),
  })
  container.register(tokens.pluginDataDeletionsToken, {
    useFactory: instanceCachingFactory((from) =>
      createPluginDataDeletions({
        database: from.resolve(tokens.ownDatabaseToken),
        data: from.resolve(tokens.pluginDataToken),
        remains: from.resolve(tokens.pluginRemainsToken),
        clock: from.resolve(tokens.clockToken),
        log: log.logger.child({ module: 'plugins' }),
        signal: scope.signal,
        versionsElsewhere: (pluginId) => from.resolve(tokens.leasesToken).versionsElsewhere(pluginId),
        record: (transaction, entry) => from.resolve(tokens.auditToken).record(transaction, entry),
      }),
    ),
  })
  container.register(tokens.pluginSuccessionsToken, {
    useFactory: instanceCachingFactory((from) =>
      createPluginSuccessions({
        database: from.resolve(tokens.ownDatabaseToken),
        data: from.resolve(tokens.pluginDataToken),
        deletions: from.resolve(tokens.pluginDataDeletionsToken),
        remains: from.resolve(tokens.pluginRemainsToken),
        clock: from.resolve(tokens.clockToken),
        log: log.logger.child({ module: 'plugins' }),
        signal: scope.signal,
        record: (transaction, entry) => from.resolve(tokens.auditToken).record(transaction, entry),
        sourceOf: (pluginId) => discovered.find(({ id }) => id === pluginId)?.source,
        unreadSources: unreadSources(discovered),
        versionsElsewhere: (pluginId) => from.resolve(tokens.leasesToken).versionsElsewhere(pluginId),
      }),
    ),
  })
  container.register(servicesPhaseToken, { useClass: ServicesPhase }, singleton)

  // Over accounts and policies: they need what `openServices` registers.
  container.register(tokens.backupsToken, {
    useFactory: instanceCachingFactory((from) =>
      createBackups({
        ...{ prepared, version: options.version, audit: from.resolve(tokens.auditToken), leases: from.resolve(tokens.leasesToken) },
        database: from.resolve(tokens.databaseToken),
        driver: () => from.resolve(storePhaseToken).driver(),
        stopped: scope.signal,
      }),
    ),
  })
  container.register(pluginServicesToken, { useClass: PluginServices }, singleton)
  container.register(tokens.httpCollaboratorsToken, {
    useFactory: instanceCachingFactory((from) => httpCollaborators(from, options)),
  })
  container.register(tokens.httpServerToken, { useClass: KernelHttpServer }, singleton)
  container.register(servingPhaseToken, { useClass: ServingPhase }, singleton)

  options.override?.(container)
  return container
}

/** Runs the first phase and registers what it opened. */
export async function openStore(container: DependencyContainer): Promise<KernelDatabase> {
  const { setUp, kernelDatabase, database, dataKeys, leases, registrations, bootedEvents } = await container.resolve(storePhaseToken).open()
  container.register(tokens.setUpToken, { useValue: setUp })
  container.register(tokens.databaseToken, { useValue: kernelDatabase })
  container.register(tokens.ownDatabaseToken, { useValue: database })
  container.register(tokens.dataKeysToken, { useValue: dataKeys })
  container.register(tokens.secretCipherToken, { useValue: createSecretCipher(dataKeys) })
  container.register(tokens.leasesToken, { useValue: leases })
  container.register(tokens.registrationsToken, { useValue: registrations })
  container.register(tokens.bootedEventsToken, { useValue: bootedEvents })
  return kernelDatabase
}

/** Runs the second phase and registers what it opened. */
export async function openServices(container: DependencyContainer): Promise<OpenedServices> {
  const services = await container.resolve(servicesPhaseToken).open()
  const { auth, policies, userFiles } = services
  container.register(servicesToken, { useValue: services })
  container.register(tokens.authToken, { useValue: auth })
  container.register(tokens.accountsToken, { useValue: auth.directory })
  container.register(tokens.ephemeralTokensToken, { useValue: auth.ephemeralTokens })
  container.register(tokens.presignedUrlsToken, { useValue: Object.freeze({ create: auth.presignedUrls.create }) })
  container.register(tokens.authenticatorToken, { useValue: auth.authenticator })
  container.register(tokens.policiesToken, { useValue: policies })
  container.register(tokens.userFilesToken, { useValue: userFiles })
  return services
}

function pluginSettings({ pluginLimits }: KernelOptions, prepared: Prepared): PluginSettings {
  const { configuration, discovered, isOff } = prepared
  const { plugins, database } = configuration
  const configurationOf: PluginSettings['configurationOf'] = (manifest) => configuration.configurationOf(manifest)
  // A built-in plugin ignores the switch here: without an engine, no request could turn it on
  // again.
  const mayDecide = ({ id, builtIn, notGranted, manifest }: ValidPlugin): boolean =>
    manifest.stage !== 'declared' && notGranted === undefined && !plugins.disabled.includes(id) && (builtIn || !isOff(id))
  const driver = { point: 'database.driver', key: database.driver, setting: 'database.driver' }
  return {
    ...{ required: plugins.required, disabled: plugins.disabled, configurationOf, limits: pluginLimits },
    slots: [driver, ...slotOfOnlyPlugin(policyEngines.id, discovered, mayDecide), ...slotsOfSections(discovered, configurationOf)],
    checkConfiguration: createLateRules(prepared),
  }
}

function httpCollaborators(from: DependencyContainer, { httpLimits, door, restart, answerCheck }: KernelOptions): HttpCollaborators {
  const metrics = from.resolve(tokens.metricsToken)
  const { server } = from.resolve(tokens.configurationToken)
  const ofKernel = [
    ...limitMetrics(from.resolve(tokens.quotasToken)),
    ...(from.resolve(tokens.eventsToken) as UserEvents).metrics,
    ...from.resolve(tokens.eventSubscriptionsToken).metrics,
    pluginStateMetric(from.resolve(tokens.pluginHostToken)),
    logMetric(from.resolve(tokens.preparedToken).recentLines),
  ]
  for (const source of ofKernel) metrics.add(source)
  return {
    authenticator: from.resolve(tokens.authenticatorToken),
    routeAccess: from.resolve(tokens.policiesToken).routeAccess,
    idempotency: createIdempotency(
      createIdempotencyStore({
        database: from.resolve(tokens.ownDatabaseToken),
        clock: from.resolve(tokens.clockToken),
        logger: from.resolve(tokens.loggerToken).child({ module: 'idempotency' }),
      }),
    ),
    audit: from.resolve(tokens.auditToken),
    jsonPool: createJsonPool,
    sites: openSites,
    webSockets: openWebSockets,
    pages: createStaticFiles({
      folder: server.static_dir,
      basePath: basePathOf(server.frontend_url ?? server.base_url),
      version: from.resolve(tokens.versionToken),
      fallback: () => from.resolve(webInterfacesToken).current(),
    }),
    metrics: (http) => createHttpMetrics(http, () => metrics.sources()),
    ...(httpLimits ? { limits: httpLimits } : {}),
    ...(door ? { door } : {}),
    admitsWhenReady: restart !== undefined,
    ...(answerCheck ? { answerCheck } : {}),
  }
}

/** The state of each plugin. */
const pluginStateMetric = (plugins: PluginHost): MetricSource => ({
  name: 'plugin_state',
  help: 'Plugins by their state: 1 for the state that each is in.',
  kind: 'gauge',
  samples: () => plugins.report().map(({ id, state }) => ({ labels: { plugin: id, state }, value: 1 })),
})

/**
 * Checks the configuration by the rules of a plugin that was disabled at the start and is about to
 * be enabled.
 * @throws `plugin_configuration_invalid` with every problem.
 */
const createLateRules =
  ({ configuration, examination, discovered, ruled }: Prepared) =>
  async (plugin: ValidPlugin): Promise<void> => {
    if (plugin.builtIn || plugin.manifest.rules === undefined || ruled.consent(plugin)) return
    const { file, environment, bases } = examination
    const plugins = examinedManifests(discovered, { consent: (other) => other === plugin || ruled.consent(other) })
    const { problems } = await examineConfiguration({ file, environment, bases, plugins, disabled: configuration.plugins.disabled })
    if (problems.length > 0) throw pluginConfigurationInvalidError.create({ id: plugin.id }, { problems })
    ruled.add(plugin)
  }
