import type { Policies } from '@agent-service/kernel-accounts/policy'
import type { Configuration } from '@agent-service/kernel-core/config'
import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import type { Redactor } from '@agent-service/kernel-core/log'
import { type PluginHost, pluginCounts } from '@agent-service/kernel-core/plugins'
import { createHealthChecks, createHealthRoutes, type OwnCheck, type ServiceState } from '@agent-service/kernel-services/health'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { goneDataLines, type IdleDataSources } from '../plugin-data/index.js'

/** What the health of a running service is read from. */
export interface HealthSources {
  readonly version: string
  readonly configuration: Configuration
  readonly database: Pick<KernelDatabase, 'health'>
  readonly policies: Pick<Policies, 'failure'>
  readonly host: Pick<PluginHost, 'report'>
  readonly pluginData: Omit<IdleDataSources, 'host'>
  readonly contributions: Contributions
  readonly redactor: Redactor
  readonly signal: AbortSignal
}

/** What is impaired, as `/readyz` says it. */
export function serviceState({ database, policies }: Pick<HealthSources, 'database' | 'policies'>): ServiceState {
  const health = database.health()
  if (!health.writable) return { impaired: health.code, reason: health.reason }
  const failure = policies.failure()
  return failure === undefined ? { impaired: null, reason: null } : { impaired: 'policies_unavailable', reason: failure }
}

/** `/api/admin/health` and its checks. */
export function openHealthRoutes(sources: HealthSources): readonly HttpRoute[] {
  const { version, configuration, database, contributions, redactor, signal } = sources
  return createHealthRoutes({
    version,
    startedAt: new Date().toISOString(),
    dataFolder: configuration.storage.data_dir,
    state: () => serviceState(sources),
    database() {
      const health = database.health()
      return { driver: configuration.database.driver, writable: health.writable, reason: health.writable ? null : health.reason }
    },
    configuration: { path: configuration.file.path, exists: configuration.file.exists, warnings: configuration.warnings },
    checks: createHealthChecks({ contributions, redactor, signal, own: ownChecks(sources), now: Date.now }),
  })
}

/** What `doctor` says about the service itself, of the one that runs. */
function ownChecks({ configuration, database, policies, host, pluginData }: HealthSources): readonly OwnCheck[] {
  const { file, warnings } = configuration
  const needsAttention: ReadonlySet<string> = new Set(['failed', 'invalid', 'blocked', 'retrying'])
  return [
    {
      ...{ id: 'configuration', title: 'Configuration' },
      run: async () => [
        { state: 'well', text: file.exists ? file.path : `all defaults (${file.path} does not exist)` },
        ...warnings.map((text) => ({ state: 'warning', text }) as const),
      ],
    },
    {
      ...{ id: 'plugins', title: 'Plugins' },
      async run() {
        const report = host.report()
        const broken = report.filter(({ state }) => needsAttention.has(state))
        return [
          { state: 'well', text: pluginCounts(report) },
          ...broken.map(
            ({ id, state, reason }) => ({ state: 'warning', text: `${id} is ${state}: ${reason ?? 'no reason is known'}` }) as const,
          ),
          ...(await goneDataLines({ host, ...pluginData })).map((text) => ({ state: 'warning', text }) as const),
        ]
      },
    },
    {
      ...{ id: 'database', title: 'Database' },
      async run() {
        const health = database.health()
        const { driver, path } = configuration.database
        return [
          health.writable
            ? { state: 'well', text: `${driver} at ${path}: is writable` }
            : { state: 'failed', text: `${driver} at ${path}: is not writable: ${health.reason}` },
        ]
      },
    },
    {
      ...{ id: 'policies', title: 'Policies' },
      async run() {
        const failure = policies.failure()
        return [
          failure === undefined
            ? { state: 'well', text: 'are usable' }
            : { state: 'failed', text: `are not usable, everything is denied: ${failure}` },
        ]
      },
    },
  ]
}
