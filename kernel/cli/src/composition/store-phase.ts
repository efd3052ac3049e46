import { authCollections } from '@agent-service/kernel-accounts'
import { policyCollections } from '@agent-service/kernel-accounts/policy'
import { type Configuration, configurationToken } from '@agent-service/kernel-core/config'
import { type KernelDatabase, openDatabase } from '@agent-service/kernel-core/database'
import { type BootedEvents, bootEvents, eventCollections } from '@agent-service/kernel-core/events'
import type { ProcessLeases } from '@agent-service/kernel-core/leases'
import { type Redactor, redactError, redactorToken } from '@agent-service/kernel-core/log'
import { type PluginHost, pluginHostToken } from '@agent-service/kernel-core/plugins'
import { clockToken, loggerToken, scopeToken } from '@agent-service/kernel-core/process'
import { type DataKeys, openDataKeys, secretsCollections } from '@agent-service/kernel-core/secrets'
import { type StateDocuments, stateDocumentsToken } from '@agent-service/kernel-core/state-documents'
import { openRegistrations, type Registrations, subscriptionCollections } from '@agent-service/kernel-services/event-subscriptions'
import { idempotencyCollections } from '@agent-service/kernel-services/idempotency'
import { leaseCollections, openProcessLeases } from '@agent-service/kernel-services/leases'
import { pluginDataCollections } from '@agent-service/kernel-services/plugin-data'
import { openSetUp, type SetUp } from '@agent-service/kernel-settings/set-up'
import type { JsonObject, Logger } from '@agent-service/sdk'
import type { DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'
import type { DisposableScope } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import { refuseUnfinishedRestore, removeRestoreLeftovers } from '../backups/index.js'
import type { KernelOptions } from './kernel-options.js'
import { optionsToken } from './service-tokens.js'

/** The kernel's own collections. */
export const kernelCollections = [
  ...secretsCollections,
  ...pluginDataCollections,
  ...authCollections,
  ...leaseCollections,
  ...eventCollections,
  ...subscriptionCollections,
  ...idempotencyCollections,
  ...policyCollections,
]

/** Everything that has to be opened before the parts that use the database. */
export interface OpenedStore {
  readonly setUp: SetUp
  readonly kernelDatabase: KernelDatabase
  readonly database: Database
  readonly dataKeys: DataKeys
  readonly leases: ProcessLeases
  readonly registrations: Registrations
  readonly bootedEvents: BootedEvents
}

export const storePhaseToken: InjectionToken<StorePhase> = Symbol('store-phase')

/**
 * The first phase: the state of the set-up, the plugins of driver and policy engine, then the lock,
 * the database and what is read from it at the start. The scope undoes it.
 */
@injectable()
export class StorePhase {
  constructor(
    @inject(optionsToken) private readonly options: Pick<KernelOptions, 'onUnownedError'>,
    @inject(configurationToken) private readonly configuration: Configuration,
    @inject(scopeToken) private readonly scope: DisposableScope,
    @inject(clockToken) private readonly clock: Clock,
    @inject(loggerToken) private readonly log: Logger,
    @inject(redactorToken) private readonly redactor: Redactor,
    @inject(stateDocumentsToken) private readonly stateDocuments: StateDocuments,
    @inject(pluginHostToken) private readonly host: PluginHost,
  ) {}

  #opened: Promise<KernelDatabase> | undefined
  #driver: DatabaseDriver | undefined

  /** Opens the database alone, which {@link open} then goes on with. Migrates nothing. */
  openDatabase(): Promise<KernelDatabase> {
    this.#opened ??= this.#openDatabase()
    return this.#opened
  }

  /** The driver, once {@link openDatabase} was called. */
  async driver(): Promise<DatabaseDriver> {
    await this.openDatabase()
    if (this.#driver === undefined) throw new Error('The database was opened without a driver.')
    return this.#driver
  }

  async open(): Promise<OpenedStore> {
    const { configuration, scope, clock, log, stateDocuments } = this
    const setUp = await openSetUp({ stateDocuments, configuration })
    this.#watchFaults()
    const kernelDatabase = await this.openDatabase()
    const database: Database = await kernelDatabase.openFor('kernel', kernelCollections)
    const encryptionSecret = configuration.auth.encryption_secret
    const retentionSeconds = configuration.server.sse_pending_events_secs
    const dataKeys = await openDataKeys({ database, encryptionSecret, clock })
    const leases = await openProcessLeases({ ...{ database, clock, log: log.child({ module: 'leases' }) }, plugins: () => this.#plugins() })
    scope.add('leases', () => leases.close())
    const registrations = await openRegistrations({ database, clock })
    const bootedEvents = await bootEvents({ database, kernelDatabase, clock, retentionSeconds })
    return { setUp, kernelDatabase, database, dataKeys, leases, registrations, bootedEvents }
  }

  /** The versions of the plugins that are installed and not switched off, by id. */
  #plugins(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.host.report().flatMap(({ id, version, state }) => (state === 'disabled' ? [] : [[id, version]])))
  }

  /** Starts before any plugin code runs, so that no error of a plugin ends the process. */
  #watchFaults(): void {
    const { onUnownedError } = this.options
    if (onUnownedError === undefined) return
    const stopWatching = this.host.watchFaults((error, kind) => onUnownedError(redactError(error, this.redactor), kind))
    this.scope.add('faults', stopWatching)
  }

  async #openDatabase(): Promise<KernelDatabase> {
    const { configuration, scope, host } = this
    const { database: section, cache, plugins } = configuration
    scope.add('plugins of the boot phase', () => host.stopBoot())
    await refuseUnfinishedRestore(configuration.storage.data_dir)
    const driver = await host.startBoot()
    this.#driver = driver
    const kernelDatabase = await openDatabase({
      driver,
      path: section.path,
      url: section.url,
      settings: (plugins.settings[`database-${section.driver}`] ?? {}) as JsonObject,
      cache: { ttlSeconds: cache.entity_ttl_secs, maxEntries: cache.entity_max_capacity },
      clock: this.clock,
      log: this.log.child({ module: 'database' }),
      signal: scope.signal,
      prepareFolder: removeRestoreLeftovers,
      meanwhile: () => void host.loadAhead(),
    })
    scope.add('database', () => kernelDatabase.close())
    return kernelDatabase
  }
}
