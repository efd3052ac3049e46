import path from 'node:path'
import { type Auth, openAuth, registrationOf } from '@agent-service/kernel-accounts'
import { type AuditLog, auditToken, commandLine, createAuditUserData, takePending } from '@agent-service/kernel-accounts/audit'
import { createExportRoute, createUserDataRoute, createUserDataSizes } from '@agent-service/kernel-accounts/export'
import { openPolicies, type Policies } from '@agent-service/kernel-accounts/policy'
import type { RawData } from '@agent-service/kernel-accounts/raw-data'
import { type Configuration, configurationToken } from '@agent-service/kernel-core/config'
import { databaseToken, type KernelDatabase, ownDatabaseToken } from '@agent-service/kernel-core/database/open'
import { type EventTypes, eventsToken, eventTypesToken, type UserEvents } from '@agent-service/kernel-core/events'
import { servesOthers } from '@agent-service/kernel-core/http/request'
import { type DispatchTable, routeTableToken } from '@agent-service/kernel-core/http/routing'
import {
  type ContributionRegistry,
  contributionsToken,
  type DiscoveredPlugin,
  discoveredPluginsToken,
  type PluginHost,
  type PluginReport,
  pluginHostToken,
} from '@agent-service/kernel-core/plugins'
import { clockToken, loggerToken, scopeToken, versionToken } from '@agent-service/kernel-core/process'
import type { QuotaRegistry } from '@agent-service/kernel-core/quotas'
import { type DataKeys, dataKeysToken, type SecretCipher, secretCipherToken } from '@agent-service/kernel-core/secrets'
import { createEventRoutes } from '@agent-service/kernel-services/event-routes'
import { eventSubscriptionsToken, type KernelEventSubscriptions } from '@agent-service/kernel-services/event-subscriptions'
import { createStoredBytes, createUserFiles } from '@agent-service/kernel-services/files'
import { createShownOperations, type PluginData, pluginDataToken, type ShownOperations } from '@agent-service/kernel-services/plugin-data'
import { quotasToken } from '@agent-service/kernel-services/quotas'
import { createDataKeyRotation, type PluginSealedFields, pluginSealedFieldsToken, rekey } from '@agent-service/kernel-services/secrets'
import { cookiePathOf, isCrossSite, type UrlService, urlsToken } from '@agent-service/kernel-services/urls'
import { type SetUp, setUpToken } from '@agent-service/kernel-settings/set-up'
import type { Logger } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import { type UserData, userData } from '@agent-service/sdk/contracts/user-data'
import type { DisposableScope } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Resources } from '@agent-service/sdk/services/resources'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import type { KernelOptions } from './kernel-options.js'
import { createRawData, createShownNow, declaredFolders } from './raw-data.js'
import { optionsToken, resourcesToken } from './service-tokens.js'

/** What the kernel itself offers over the store. */
export interface OpenedServices {
  readonly auth: Auth
  readonly audit: AuditLog
  readonly policies: Policies
  readonly userFiles: UserFiles
  /** Encrypts the database with another secret; see {@link rekey}. */
  rekey(encryptionSecret: string): Promise<number>
  readonly routes: readonly HttpRoute[]
  readonly jobs: readonly SchedulerJob[]
}

export const servicesPhaseToken: InjectionToken<ServicesPhase> = Symbol('services-phase')
export const servicesToken: InjectionToken<OpenedServices> = Symbol('services')

/**
 * The second phase: accounts and policies over the store, and the kernel's own routes, jobs and
 * data of users.
 */
@injectable()
export class ServicesPhase {
  constructor(
    @inject(optionsToken) private readonly options: Pick<KernelOptions, 'passwordCost' | 'demo' | 'environment'>,
    @inject(configurationToken) private readonly configuration: Configuration,
    @inject(scopeToken) private readonly scope: DisposableScope,
    @inject(clockToken) private readonly clock: Clock,
    @inject(loggerToken) private readonly log: Logger,
    @inject(urlsToken) private readonly urls: UrlService,
    @inject(resourcesToken) private readonly resources: Resources,
    @inject(setUpToken) private readonly setUp: SetUp,
    @inject(databaseToken) private readonly kernelDatabase: KernelDatabase,
    @inject(ownDatabaseToken) private readonly database: Database,
    @inject(dataKeysToken) private readonly dataKeys: DataKeys,
    @inject(secretCipherToken) private readonly cipher: SecretCipher,
    @inject(pluginSealedFieldsToken) private readonly pluginSealedFields: PluginSealedFields,
    @inject(pluginDataToken) private readonly pluginData: PluginData,
    @inject(eventSubscriptionsToken) private readonly subscriptions: KernelEventSubscriptions,
    @inject(eventsToken) private readonly events: UserEvents,
    @inject(eventTypesToken) private readonly eventTypes: EventTypes,
    @inject(auditToken) private readonly audit: AuditLog,
    @inject(quotasToken) private readonly quotas: QuotaRegistry,
    @inject(contributionsToken) private readonly contributions: ContributionRegistry,
    @inject(routeTableToken) private readonly routes: DispatchTable,
    @inject(pluginHostToken) private readonly host: PluginHost,
    @inject(discoveredPluginsToken) private readonly discovered: readonly DiscoveredPlugin[],
    @inject(versionToken) private readonly version: string,
  ) {}

  async open(): Promise<OpenedServices> {
    const { configuration, scope, clock, database, audit, quotas, subscriptions, events, eventTypes: types } = this
    scope.add('event subscriptions', () => subscriptions.close())
    scope.add('events', () => events.close())
    const log = this.log.child({ module: 'audit' })
    const takeCommands = (): Promise<void> => takePending(configuration.serverDataDir, { audit, log })
    await takeCommands()

    const usersFolder = path.join(configuration.storage.data_dir, 'users')
    const max = configuration.storage.max_bytes_per_user
    const stored = createStoredBytes({ usersFolder, max, quotas, clock, log: this.log.child({ module: 'files' }) })
    const userFiles = createUserFiles({ usersFolder, stored, now: () => clock.now() })
    const { pluginData, contributions, host, discovered } = this
    const shownOperations = createShownOperations({
      ...{ database, log: this.log.child({ module: 'plugin-data' }) },
      settled: () => contributions.settled(userData),
    })
    const rawData = createRawData({ pluginData, contributions, host, discovered, shownOperations })
    const shownNow = createShownNow(contributions)
    const auth = await this.#openAuth(usersFolder, rawData, () => policies)
    const policies = this.#openPolicies(auth, shownOperations)
    scope.add('erasures and hand-overs', () => auth.close())
    scope.add('shown operations', () => shownOperations.close())
    scope.add(
      'hand-overs',
      this.contributions.onChange(userData, () => {
        shownOperations.keep(shownNow(this.routes.current().entries))
        auth.continueHandOvers()
      }),
    )
    this.#offerUserData([...auth.userData, ...events.userData, ...subscriptions.userData, createAuditUserData({ database })])
    return {
      ...{ auth, audit, policies, userFiles },
      rekey: (to) =>
        rekey(database, { from: configuration.auth.encryption_secret, to }, (transaction, keys) =>
          audit.record(transaction, { kind: 'encryption_secret.changed', actor: commandLine('rekey'), subjectId: null, details: { keys } }),
        ),
      routes: [
        ...auth.routes,
        this.#exportRoute(auth, { userFiles, rawData }, policies),
        this.#userDataRoute(auth, { userFiles, rawData }),
        ...policies.routes,
        ...createEventRoutes({ streams: events, types }),
      ],
      jobs: [
        ...auth.jobs,
        this.#rotationJob(auth),
        {
          ...{ specVersion: 1, id: 'kernel.take-audit-entries', everySeconds: 60 },
          title: 'Move the notes of commands into the audit log',
          run: takeCommands,
        },
        ...events.jobs,
        ...subscriptions.jobs,
      ],
    }
  }

  async #openAuth(usersFolder: string, rawData: RawData, policies: () => Policies): Promise<Auth> {
    const { configuration, urls, setUp, options } = this
    const isDemo = options.demo === true && options.environment['NODE_ENV'] !== 'production'
    return openAuth({
      ...{ database: this.database, kernelDatabase: this.kernelDatabase, cipher: this.cipher, clock: this.clock, audit: this.audit },
      ...{ resources: this.resources, contributions: this.contributions, urls, usersFolder, rawData },
      log: this.log.child({ module: 'auth' }),
      settings: configuration.auth,
      signInPolicy: configuration.signIn,
      policies: { isAuthorized: (...question) => policies().service.isAuthorized(...question) },
      signal: this.scope.signal,
      absentPlugins: () => absentParts(this.host).map(({ plugin }) => plugin),
      timezone: configuration.timeZone,
      issuer: () => configuration.server.issuer_url ?? urls.api('/').replace(/\/$/, ''),
      crossSite: await isCrossSite(configuration.server),
      cookiePath: cookiePathOf(configuration.server),
      registration: registrationOf(configuration),
      isSetUpOpen: () => setUp.open().length > 0,
      onRolesChanged: () => policies().rolesChanged(),
      onSigningIn: () => policies().expectQuestions(),
      isDemo,
      hasDemoLink: isDemo && !servesOthers(configuration.server),
      ...(options.passwordCost ? { passwordCost: options.passwordCost } : {}),
    })
  }

  #openPolicies(auth: Auth, former: Pick<ShownOperations, 'attributesOf'>): Policies {
    const { database, kernelDatabase, clock, audit, resources } = this
    const policies = openPolicies({
      ...{ database, kernelDatabase, clock, audit, resources, accounts: auth.directory },
      log: this.log.child({ module: 'policy' }),
      contributions: this.contributions,
      missingEngineReason: () => missingEngineReason(this.host.report()),
      servedRoutes: () => this.routes.current().entries,
      formerRoute: (operation) => former.attributesOf(operation),
    })
    this.scope.add('policies', () => policies.close())
    return policies
  }

  /** The kernel's own per-user collections are exported and erased like those of plugins. */
  #offerUserData(parts: readonly UserData[]): void {
    const contributions = parts.map((value) => ({ point: userData.id, key: userData.keyOf(value), value }))
    const admission = this.contributions.admit('kernel', contributions)
    this.scope.add('user data', () => admission.withdraw())
  }

  #exportRoute({ accounts }: Auth, { userFiles: files, rawData }: Stored, { service: policies }: Policies): HttpRoute {
    const { contributions, clock, audit, quotas, version, host } = this
    const declared = [...new Set(declaredFolders(this.discovered))].sort()
    return createExportRoute({
      ...{ accounts, audit, quotas },
      sources: {
        ...{ contributions, files, policies, rawData, clock, version, log: this.log.child({ module: 'export' }) },
        subsystems: { declared, isSecret: (name) => secretFolders.has(name) },
        isServed: (operation) => this.routes.current().entries.some(({ route }) => route.operationId === operation),
        absent: () => absentParts(host),
      },
    })
  }

  #userDataRoute({ accounts }: Auth, { userFiles, rawData }: Stored): HttpRoute {
    const { contributions, host } = this
    const sizes = createUserDataSizes({
      ...{ contributions, rawData, log: this.log.child({ module: 'auth' }) },
      async files(user) {
        const { usedBytes, maxBytes } = await userFiles.stored(user)
        return { bytes: usedBytes, max_bytes: maxBytes ?? null }
      },
      absent: () => absentParts(host).map(({ plugin }) => plugin),
    })
    return createUserDataRoute({ accounts, sizes })
  }

  #rotationJob(auth: Auth): SchedulerJob {
    const { clock, cipher, audit, dataKeys: keys, pluginSealedFields } = this
    const rotation = createDataKeyRotation({
      ...{ clock, cipher, audit, keys },
      fields: async () => [...auth.sealedFields, ...(await pluginSealedFields.all())],
      log: this.log.child({ module: 'secrets' }),
      rotationDays: this.configuration.auth.data_key_rotation_days,
    })
    return {
      specVersion: 1,
      id: 'kernel.rotate-data-keys',
      title: 'Replace old keys that encrypt stored secrets',
      everySeconds: 3_600,
      run: (options) => rotation.run(options),
    }
  }
}

/** What is stored of users, beside what plugins contribute. */
interface Stored {
  readonly userFiles: UserFiles
  readonly rawData: RawData
}

/** Folders of users that hold keys, sign-ins of channels and the like. */
const secretFolders: ReadonlySet<string> = new Set(['vault', 'tokens', 'channels', 'mcps'])

/** Plugins that keep data of users and cannot be asked for it. What is kept is that of the plugin that a slot has. */
const absentParts = (host: Pick<PluginHost, 'report' | 'missesSlot'>): readonly { readonly plugin: string; readonly state: string }[] =>
  host
    .report()
    .filter(({ contributes, state }) => contributes.includes(userData.id) && state !== 'active' && state !== 'declared')
    .filter(({ id }) => !host.missesSlot(id))
    .map(({ id, state }) => ({ plugin: id, state }))

/** Why nothing decides, from what the plugins say that could. */
function missingEngineReason(report: readonly PluginReport[]): string {
  const engines = report.filter(({ contributes }) => contributes.includes(policyEngines.id))
  if (engines.length === 0) return 'no plugin for the slot policy.engine is installed'
  const states = engines.map(({ id, state, reason }) => `plugin “${id}” is ${state}${reason === null ? '' : `: ${reason}`}`)
  return `no policy engine runs: ${states.join('; ')}`
}
