import { fileURLToPath } from 'node:url'
import { type ControlledClock, createControlledClock } from '@agent-service/kernel-core/clock/testing'
import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import { openTestDatabase, wrapDriver } from '@agent-service/kernel-core/database/testing'
import { ContributionRegistry } from '@agent-service/kernel-core/plugins/contributions'
import { createResources } from '@agent-service/kernel-core/resources'
import { createRecordingLog, type RecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { type PolicyEngine, policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Resources } from '@agent-service/sdk/services/resources'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { auditEvents, createAuditLog } from '../../audit/index.js'
import { openPolicies, type Policies } from '../open-policies.js'
import { policyCollections } from '../policy-records.js'
import { createStoredPolicies, type StoredPolicies } from '../stored-policies.js'
import { openShippedEngine } from './shipped-engine.js'

/** The resources that ship with the service. */
export const shippedResources = (): Resources =>
  createResources({ folder: fileURLToPath(new URL('../../../../../resources', import.meta.url)) })

/** The shipped resources with replaced or added files. */
export const resourcesWith = (files: Readonly<Record<string, string>>): Resources => {
  const shipped = shippedResources()
  return {
    list: async (folder) =>
      [...new Set([...(await shipped.list(folder)), ...Object.keys(files).map((path) => path.replace(`${folder}/`, ''))])].sort(),
    read: async (path) => files[path] ?? shipped.read(path),
  }
}

/**
 * Policies over a store in memory, with two accounts that a test may change: `ada`, an admin, and
 * `eve`.
 */
export interface PoliciesUnderTest extends Policies {
  readonly clock: ControlledClock
  readonly log: RecordingLog
  /** The contributions, with the engine of a plugin. */
  readonly contributions: ContributionRegistry
  readonly kernelDatabase: KernelDatabase
  /** Roles by account id. */
  readonly roles: Map<string, 'admin' | 'user'>
  /** Runs before each step of the store. */
  pause: () => Promise<void>
  /**
   * Reopens the policies over the same store, like a restart. The earlier ones must no longer be
   * used.
   */
  restart(): Promise<PoliciesUnderTest>
  end(): Promise<void>
}

/** The actor of changes in tests. */
export const ada = Object.freeze({ userId: 'ada', address: '192.0.2.7' })

/** Opens them. {@link PoliciesUnderTest.end} closes store and engine. */
export async function openPoliciesUnderTest(
  options: {
    readonly resources?: Resources
    /** Default: the shipped plugin's engine, closed with the policies. None: no plugin has one. */
    readonly engine?: PolicyEngine | 'none'
    readonly routes?: readonly HttpRoute[]
    /** Texts of stored policies, written together: their ids are `policy-0`, `policy-1`, … */
    readonly stored?: readonly string[]
  } = {},
): Promise<PoliciesUnderTest> {
  const store: { pause: () => Promise<void> } = { pause: () => Promise.resolve() }
  const paused =
    <Arguments extends readonly unknown[], Result>(work: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      await store.pause()
      return work(...given)
    }
  const driver = wrapDriver(createMemoryDatabaseDriver(), (connection) => ({
    ...connection,
    read: paused(connection.read),
    range: paused(connection.range),
    commit: paused(connection.commit),
  }))
  const { database: kernelDatabase, end } = await openTestDatabase({ driver, cache: { ttlSeconds: 300, maxEntries: 2_000 } })
  const database = await kernelDatabase.openFor('kernel', [auditEvents, ...policyCollections])
  const clock = createControlledClock()
  await storePolicies(createStoredPolicies({ database, clock }), options.stored ?? [])
  const roles = new Map<string, 'admin' | 'user'>([
    ['ada', 'admin'],
    ['eve', 'user'],
  ])
  const accounts: Pick<Accounts, 'get'> = {
    async get(id) {
      const role = roles.get(id)
      return role && { id, username: id, handle: id, role, timezone: 'UTC' }
    },
  }
  let closeEngine: () => Promise<void>
  const open = async (): Promise<PoliciesUnderTest> => {
    const log = createRecordingLog()
    const contributions = new ContributionRegistry(clock, log)
    const opened = options.engine ? { engine: options.engine, close: () => Promise.resolve() } : await openShippedEngine()
    closeEngine = opened.close
    if (opened.engine !== 'none')
      contributions.admit('policy-test', [{ point: policyEngines.id, key: opened.engine.id, value: opened.engine }])
    const policies: Policies = openPolicies({
      ...{ database, kernelDatabase, clock, log, accounts, contributions },
      missingEngineReason: () => 'no plugin has an engine',
      audit: createAuditLog({ database, clock }),
      resources: options.resources ?? shippedResources(),
      servedRoutes: () => [...policies.routes, ...(options.routes ?? [])].map((route) => ({ route })),
    })
    return Object.assign(store, policies, { clock, log, contributions, kernelDatabase, roles, restart, end: ended })
  }
  const restart = async (): Promise<PoliciesUnderTest> => {
    await closeEngine()
    return open()
  }
  const ended = async (): Promise<void> => {
    await closeEngine()
    await end()
  }
  return open()
}

async function storePolicies(stored: StoredPolicies, texts: readonly string[]): Promise<void> {
  const now = stored.now()
  const writes = texts.map((text, index) => ({
    after: {
      id: `policy-${index}`,
      ...{ text, description: '', enabled: true },
      effect: 'forbid' as const,
      created_at: now,
      updated_at: now,
    },
  }))
  await stored.write(0, writes, () => undefined)
}
