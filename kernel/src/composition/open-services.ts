import path from 'node:path'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import type { DisposableScope } from '@agent-service/sdk/host'
import type { DependencyContainer } from 'tsyringe'
import { type AuditLog, createAuditLog } from '../audit/audit-log.js'
import { auditCollections, commandLine } from '../audit/audit-records.js'
import { createAuditUserData } from '../audit/audit-user-data.js'
import { takePending } from '../audit/pending-entries.js'
import { type Auth, authCollections, openAuth } from '../auth/index.js'
import type { KernelDatabase } from '../database/index.js'
import { openEventSubscriptions, subscriptionCollections } from '../event-subscriptions/index.js'
import { eventCollections, openEvents } from '../events/index.js'
import { createStoredBytes } from '../files/stored-bytes.js'
import { createUserFiles } from '../files/user-files.js'
import { createIdempotencyStore, idempotencyCollections } from '../http/idempotency/create-idempotency-store.js'
import { leaseCollections, openProcessLeases } from '../leases/index.js'
import type { PluginReport } from '../plugins/index.js'
import { openPolicies, type Policies, policyCollections } from '../policy/index.js'
import {
  createDataKeyRotation,
  createPluginSealedFields,
  createSecretCipher,
  openDataKeys,
  rekey,
  secretsCollections,
} from '../secrets/index.js'
import { isCrossSite } from '../urls/cross-site.js'
import type { KernelOptions } from './kernel-options.js'
import * as tokens from './tokens.js'

/** The kernel's own collections. */
export const kernelCollections = [
  ...secretsCollections,
  ...authCollections,
  ...auditCollections,
  ...leaseCollections,
  ...eventCollections,
  ...subscriptionCollections,
  ...idempotencyCollections,
  ...policyCollections,
]

/** What the kernel itself offers over the store. */
export interface OpenedServices {
  readonly auth: Auth
  readonly audit: AuditLog
  readonly policies: Policies
  /** Brings the database under another encryption secret; see {@link rekey}. */
  rekey(encryptionSecret: string): Promise<number>
  readonly routes: readonly HttpRoute[]
  readonly jobs: readonly SchedulerJob[]
}

/** Secrets, events, accounts and idempotency keys, in this order, each registered in the container the moment it is open. */
export async function openServices(
  container: DependencyContainer,
  scope: DisposableScope,
  kernelDatabase: KernelDatabase,
  options: Pick<KernelOptions, 'passwordCost'>,
): Promise<OpenedServices> {
  const configuration = container.resolve(tokens.configurationToken)
  const clock = container.resolve(tokens.clockToken)
  const log = container.resolve(tokens.loggerToken)
  const urls = container.resolve(tokens.urlsToken)
  const database = await kernelDatabase.openFor('kernel', kernelCollections)

  const dataKeys = await openDataKeys({ database, encryptionSecret: configuration.auth.encryption_secret, clock })
  const cipher = createSecretCipher(dataKeys)
  container.register(tokens.secretCipherToken, { useValue: cipher })
  const pluginSealedFields = createPluginSealedFields({ database, cipher, upkeep: kernelDatabase.upkeep })
  container.register(tokens.pluginSealedFieldsToken, { useValue: pluginSealedFields })

  const leases = await openProcessLeases({ database, clock, log: log.child({ module: 'leases' }) })
  scope.add('leases', () => leases.close())
  container.register(tokens.leasesToken, { useValue: leases })

  const subscriptions = await openEventSubscriptions({
    ...{ database, clock, leases },
    log: log.child({ module: 'events' }),
    revision: () => kernelDatabase.revision(),
  })
  scope.add('event subscriptions', () => subscriptions.close())
  container.register(tokens.eventSubscriptionsToken, { useValue: subscriptions })
  const events = await openEvents({
    database,
    kernelDatabase,
    clock,
    log: log.child({ module: 'events' }),
    types: container.resolve(tokens.eventTypesToken),
    outbox: subscriptions.outbox,
    retentionSeconds: configuration.server.sse_pending_events_secs,
  })
  scope.add('events', () => events.close())
  container.register(tokens.eventsToken, { useValue: events.events })
  container.register(tokens.eventStreamsToken, { useValue: events.streams })

  const audit = createAuditLog({ database, clock, redactor: container.resolve(tokens.redactorToken) })
  container.register(tokens.auditToken, { useValue: audit })
  const takeCommands = (): Promise<void> => takePending(configuration.serverDataDir, { audit, log: log.child({ module: 'audit' }) })
  await takeCommands()
  const usersFolder = path.join(configuration.storage.data_dir, 'users')
  const max = configuration.storage.max_bytes_per_user
  const stored = createStoredBytes({
    usersFolder,
    max,
    quotas: container.resolve(tokens.quotasToken),
    clock,
    log: log.child({ module: 'files' }),
  })
  const files = createUserFiles({ usersFolder, stored, now: () => clock.now() })
  container.register(tokens.userFilesToken, { useValue: files })
  const auth = await openAuth({
    database,
    kernelDatabase,
    cipher,
    clock,
    log: log.child({ module: 'auth' }),
    resources: container.resolve(tokens.resourcesToken),
    settings: configuration.auth,
    signInPolicy: configuration.signIn,
    audit,
    contributions: container.resolve(tokens.contributionsToken),
    ...{ usersFolder, urls },
    policies: { isAuthorized: (...question) => policies.service.isAuthorized(...question) },
    signal: scope.signal,
    timezone: configuration.timeZone,
    issuer: () => configuration.server.issuer_url ?? urls.api('/').replace(/\/$/, ''),
    crossSite: await isCrossSite(configuration.server),
    isSetUpOpen: () => container.resolve(tokens.setUpToken).open().length > 0,
    onRolesChanged: () => policies.rolesChanged(),
    onSigningIn: () => policies.expectQuestions(),
    ...(options.passwordCost ? { passwordCost: options.passwordCost } : {}),
  })
  container.register(tokens.accountsToken, { useValue: auth.directory })
  container.register(tokens.ephemeralTokensToken, { useValue: auth.ephemeralTokens })
  container.register(tokens.presignedUrlsToken, { useValue: Object.freeze({ create: auth.presignedUrls.create }) })
  const policies = openPolicies({
    ...{ database, kernelDatabase, clock, audit, accounts: auth.directory },
    log: log.child({ module: 'policy' }),
    contributions: container.resolve(tokens.contributionsToken),
    whyNoEngine: () => whyNoEngine(container.resolve(tokens.pluginHostToken).report()),
    resources: container.resolve(tokens.resourcesToken),
    servedRoutes: () => container.resolve(tokens.routeTableToken).current().entries,
  })
  scope.add('policies', () => policies.close())
  container.register(tokens.policiesToken, { useValue: policies })
  container.register(tokens.authenticatorToken, { useValue: auth.authenticator })
  if (auth.externalSignIn) container.register(tokens.externalSignInToken, { useValue: auth.externalSignIn })

  const rotation = createDataKeyRotation({
    ...{ clock, cipher, audit, keys: dataKeys },
    fields: async () => [...auth.sealedFields, ...(await pluginSealedFields.all())],
    log: log.child({ module: 'secrets' }),
    rotationDays: configuration.auth.data_key_rotation_days,
  })
  const rotationJob: SchedulerJob = {
    specVersion: 1,
    id: 'kernel.rotate-data-keys',
    title: 'Replace the keys that encrypt stored secrets by age',
    everySeconds: 3_600,
    run: (options) => rotation.run(options),
  }

  // The kernel's own per-user collections are exported and erased like everybody's.
  const admission = container.resolve(tokens.contributionsToken).admit(
    'kernel',
    [...auth.userData, ...events.userData, ...subscriptions.userData, createAuditUserData({ database })].map((value) => ({
      point: userData.id,
      key: userData.keyOf(value),
      value,
    })),
  )
  scope.add('user data', () => admission.withdraw())

  const idempotency = createIdempotencyStore({ database, clock, logger: log.child({ module: 'idempotency' }) })
  container.register(tokens.idempotencyToken, { useValue: idempotency })

  return {
    auth,
    audit,
    policies,
    async rekey(to) {
      return rekey(database, { from: configuration.auth.encryption_secret, to }, (transaction, keys) =>
        audit.record(transaction, { kind: 'encryption_secret.changed', actor: commandLine('rekey'), subjectId: null, details: { keys } }),
      )
    },
    routes: [...auth.routes, ...policies.routes, ...events.routes],
    jobs: [
      ...auth.jobs,
      rotationJob,
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

/** Why nothing decides, from what the plugins say that could. */
function whyNoEngine(report: readonly PluginReport[]): string {
  const engines = report.filter(({ contributes }) => contributes.includes(policyEngines.id))
  if (engines.length === 0) return 'no plugin for the slot policy.engine is installed'
  const states = engines.map(({ id, state, reason }) => `plugin “${id}” is ${state}${reason === null ? '' : `: ${reason}`}`)
  return `no policy engine runs: ${states.join('; ')}`
}
