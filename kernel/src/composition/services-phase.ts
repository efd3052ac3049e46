import path from 'node:path'
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
import { type AuditLog, auditToken } from '../audit/audit-log.js'
import { commandLine } from '../audit/audit-records.js'
import { createAuditUserData } from '../audit/audit-user-data.js'
import { takePending } from '../audit/pending-entries.js'
import { type Auth, openAuth } from '../auth/index.js'
import { type Configuration, configurationToken } from '../config/index.js'
import { databaseToken, type KernelDatabase, ownDatabaseToken } from '../database/open/kernel-database.js'
import { eventSubscriptionsToken, type KernelEventSubscriptions } from '../event-subscriptions/index.js'
import { createEventRoutes, type EventTypes, eventsToken, eventTypesToken, type UserEvents } from '../events/index.js'
import { createStoredBytes } from '../files/stored-bytes.js'
import { createUserFiles } from '../files/user-files.js'
import { type DispatchTable, routeTableToken } from '../http/routing/dispatch-table.js'
import { type ContributionRegistry, contributionsToken, type PluginHost, type PluginReport, pluginHostToken } from '../plugins/index.js'
import { openPolicies, type Policies } from '../policy/index.js'
import { clockToken, loggerToken, scopeToken } from '../process/tokens.js'
import { type QuotaRegistry, quotasToken } from '../quotas/create-quotas.js'
import {
  createDataKeyRotation,
  type DataKeys,
  dataKeysToken,
  type PluginSealedFields,
  pluginSealedFieldsToken,
  rekey,
  type SecretCipher,
  secretCipherToken,
} from '../secrets/index.js'
import { type SetUp, setUpToken } from '../set-up/index.js'
import { isCrossSite } from '../urls/cross-site.js'
import { type UrlService, urlsToken } from '../urls/url-service.js'
import type { KernelOptions } from './kernel-options.js'
import { optionsToken, resourcesToken } from './service-tokens.js'

/** What the kernel itself offers over the store. */
export interface OpenedServices {
  readonly auth: Auth
  readonly audit: AuditLog
  readonly policies: Policies
  readonly userFiles: UserFiles
  /** Brings the database under another encryption secret; see {@link rekey}. */
  rekey(encryptionSecret: string): Promise<number>
  readonly routes: readonly HttpRoute[]
  readonly jobs: readonly SchedulerJob[]
}

export const servicesPhaseToken: InjectionToken<ServicesPhase> = Symbol('services-phase')
export const servicesToken: InjectionToken<OpenedServices> = Symbol('services')

/** The second phase: accounts and policies over the store, and the kernel's own routes, jobs and data of users. */
@injectable()
export class ServicesPhase {
  constructor(
    @inject(optionsToken) private readonly options: Pick<KernelOptions, 'passwordCost'>,
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
    @inject(eventSubscriptionsToken) private readonly subscriptions: KernelEventSubscriptions,
    @inject(eventsToken) private readonly events: UserEvents,
    @inject(eventTypesToken) private readonly eventTypes: EventTypes,
    @inject(auditToken) private readonly audit: AuditLog,
    @inject(quotasToken) private readonly quotas: QuotaRegistry,
    @inject(contributionsToken) private readonly contributions: ContributionRegistry,
    @inject(routeTableToken) private readonly routes: DispatchTable,
    @inject(pluginHostToken) private readonly host: PluginHost,
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
    const auth = await this.#openAuth(usersFolder, () => policies)
    const policies = this.#openPolicies(auth)
    this.#offerUserData([...auth.userData, ...events.userData, ...subscriptions.userData, createAuditUserData({ database })])
    return {
      ...{ auth, audit, policies, userFiles },
      rekey: (to) =>
        rekey(database, { from: configuration.auth.encryption_secret, to }, (transaction, keys) =>
          audit.record(transaction, { kind: 'encryption_secret.changed', actor: commandLine('rekey'), subjectId: null, details: { keys } }),
        ),
      routes: [...auth.routes, ...policies.routes, ...createEventRoutes({ streams: events, types })],
      jobs: [
        ...auth.jobs,
        this.#rotationJob(auth),
        {
          ...{ specVersion: 1, id: 'kernel.take-audit-entries', everySeconds: 60 },
          title: 'Take what commands noted into the audit log',
          run: takeCommands,
        },
        ...events.jobs,
        ...subscriptions.jobs,
      ],
    }
  }

  async #openAuth(usersFolder: string, policies: () => Policies): Promise<Auth> {
    const { configuration, urls, setUp, options } = this
    return openAuth({
      ...{ database: this.database, kernelDatabase: this.kernelDatabase, cipher: this.cipher, clock: this.clock, audit: this.audit },
      ...{ resources: this.resources, contributions: this.contributions, urls, usersFolder },
      log: this.log.child({ module: 'auth' }),
      settings: configuration.auth,
      signInPolicy: configuration.signIn,
      policies: { isAuthorized: (...question) => policies().service.isAuthorized(...question) },
      signal: this.scope.signal,
      timezone: configuration.timeZone,
      issuer: () => configuration.server.issuer_url ?? urls.api('/').replace(/\/$/, ''),
      crossSite: await isCrossSite(configuration.server),
      isSetUpOpen: () => setUp.open().length > 0,
      onRolesChanged: () => policies().rolesChanged(),
      onSigningIn: () => policies().expectQuestions(),
      ...(options.passwordCost ? { passwordCost: options.passwordCost } : {}),
    })
  }

  #openPolicies(auth: Auth): Policies {
    const { database, kernelDatabase, clock, audit, resources } = this
    const policies = openPolicies({
      ...{ database, kernelDatabase, clock, audit, resources, accounts: auth.directory },
      log: this.log.child({ module: 'policy' }),
      contributions: this.contributions,
      whyNoEngine: () => whyNoEngine(this.host.report()),
      servedRoutes: () => this.routes.current().entries,
    })
    this.scope.add('policies', () => policies.close())
    return policies
  }

  /** The kernel's own per-user collections are exported and erased like everybody's. */
  #offerUserData(parts: readonly UserData[]): void {
    const contributions = parts.map((value) => ({ point: userData.id, key: userData.keyOf(value), value }))
    const admission = this.contributions.admit('kernel', contributions)
    this.scope.add('user data', () => admission.withdraw())
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
      title: 'Replace the keys that encrypt stored secrets by age',
      everySeconds: 3_600,
      run: (options) => rotation.run(options),
    }
  }
}

/** Why nothing decides, from what the plugins say that could. */
function whyNoEngine(report: readonly PluginReport[]): string {
  const engines = report.filter(({ contributes }) => contributes.includes(policyEngines.id))
  if (engines.length === 0) return 'no plugin for the slot policy.engine is installed'
  const states = engines.map(({ id, state, reason }) => `plugin “${id}” is ${state}${reason === null ? '' : `: ${reason}`}`)
  return `no policy engine runs: ${states.join('; ')}`
}
