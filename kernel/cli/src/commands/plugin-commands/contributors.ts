import type { Redactor } from '@agent-service/kernel-core/log'
import {
  type DiscoveredPlugin,
  inOrderOfClaims,
  type PluginEnvironment,
  serviceUnavailableError,
  type ValidPlugin,
} from '@agent-service/kernel-core/plugins'
import { ContributionRegistry } from '@agent-service/kernel-core/plugins/contributions'
import {
  createIntrinsicsGuard,
  createPluginFaults,
  guardProcessOfPlugins,
  type PluginFaults,
  ServiceRegistry,
  startPlugin,
} from '@agent-service/kernel-core/plugins/start'
import { createResources } from '@agent-service/kernel-core/resources'
import { ConfiguredUrls } from '@agent-service/kernel-services/urls'
import { type Contribution, type ContributionPoint, type Logger, type PluginManifestFile, ServiceError } from '@agent-service/sdk'
import { contractPoints, createDisposableScope, createStoppingHooks } from '@agent-service/sdk/host'
import { type Clock, clockService } from '@agent-service/sdk/services/clock'
import { deploymentService } from '@agent-service/sdk/services/deployment'
import { resourcesService } from '@agent-service/sdk/services/resources'
import { urlService } from '@agent-service/sdk/services/urls'
import { deploymentOf } from '../../composition/deployment.js'
import type { Prepared } from '../../composition/prepare.js'

const setupMs = 5_000
const disposerMs = 2_000

/** A contribution and its plugin. */
export interface OwnedContribution<Value extends Contribution> {
  readonly pluginId: string
  readonly builtIn: boolean
  /** Of two that exclude each other, the one of the plugin with the lower rank stays. */
  readonly rank: number
  readonly value: Value
}

/** A plugin whose contributions are missing, with the reason. */
export interface MissingContributions {
  readonly pluginId: string
  readonly reason: string
}

/** Plugins that were started for their contributions to one point alone. */
export interface Contributors<Value extends Contribution> {
  /** In the order of the registry: by key. */
  readonly contributions: readonly OwnedContribution<Value>[]
  readonly missing: readonly MissingContributions[]
  /** Runs their code. */
  readonly faults: PluginFaults
  stop(): Promise<void>
}

/** What is needed to start them. */
export interface ContributorsOptions {
  readonly discovered: readonly DiscoveredPlugin[]
  /** Whether the configuration or an administrator has switched a plugin off. */
  readonly isOff: (id: string) => boolean
  readonly clock: Clock
  readonly log: Logger
  readonly redactor: Redactor
  readonly configurationOf: (manifest: PluginManifestFile) => unknown
  /** Services beside the clock, by id. Default: none. */
  readonly plainServices?: ReadonlyMap<string, unknown>
}

/** The options for the plugins of an installation. */
export const contributorsOf = ({ configuration, discovered, isOff, log, redactor }: Prepared, clock: Clock): ContributorsOptions => ({
  ...{ discovered, clock, redactor, log: log.logger },
  isOff: (id) => configuration.plugins.disabled.includes(id) || isOff(id),
  configurationOf: (manifest) => configuration.configurationOf(manifest),
  plainServices: new Map<string, unknown>([
    [deploymentService.id, deploymentOf(configuration)],
    [urlService.id, new ConfiguredUrls(configuration)],
    [resourcesService.id, createResources({ folder: configuration.storage.shared_config_dir })],
  ]),
})

/**
 * Starts the enabled plugins whose manifests list a point, in the process of the command line. They
 * get the clock, and what the installation is, with its addresses: no other service; their contributions to other points have no effect here. A setup
 * that has contributed to the point may end at another service. One that fails before is listed in `missing`.
 */
export async function startContributors<Value extends Contribution>(
  point: ContributionPoint<Value>,
  options: ContributorsOptions,
): Promise<Contributors<Value>> {
  const { discovered, isOff, clock, log, redactor } = options
  const faults = createPluginFaults()
  const contributions = new ContributionRegistry(clock, log)
  const nothing = { add: () => () => undefined }
  const routes = {
    ...{ ...nothing, addWebSocket: nothing.add, addSite: nothing.add, addErrorFormat: nothing.add },
    list: () => [],
  }
  const environment: PluginEnvironment = {
    ...{ clock, log, redactor, faults, contributions, routes },
    intrinsics: createIntrinsicsGuard(log),
    knownPoints: contractPoints,
    standbyOf: () => undefined,
    limits: { setupMs, databaseMs: 0, drainMs: 0, disposerMs, stopMs: 0, graceMs: 0 },
    configurationOf: options.configurationOf,
    ...(options.plainServices !== undefined && { plainServices: options.plainServices }),
  }
  const wanted = discovered.filter(
    (plugin): plugin is ValidPlugin =>
      plugin.status === 'valid' && plugin.notGranted === undefined && contributes(plugin, point.id) && !isOff(plugin.id),
  )

  const ranks = new Map(inOrderOfClaims(wanted).map(({ id, builtIn }, rank) => [id, { builtIn, rank }]))
  const scope = createDisposableScope({ name: point.id, disposerLimitMs: disposerMs })
  const missing: MissingContributions[] = []
  // The timers of a setup's limits do not keep the process alive.
  const alive = setInterval(() => undefined, setupMs)
  const endGuard = guardProcessOfPlugins()
  try {
    // One after the other, so that a name claimed twice goes to the plugin that the service gives it
    // to: built-in plugins come first, then the one that was there first.
    for (const plugin of inOrderOfClaims(wanted)) {
      const own = scope.child(plugin.id)
      try {
        await startPlugin({
          plugin,
          environment,
          services: new ServiceRegistry(),
          scope: own,
          stopping: createStoppingHooks(own),
          surroundings: undefined,
          onlyPoint: point.id,
          onFault: ({ error, place }) => log.error('A contribution of the plugin broke its contract', { plugin: plugin.id, place, error }),
        })
      } catch (error) {
        await own.dispose(error)
        missing.push({ pluginId: plugin.id, reason: redactor.text(reasonOf(error)) })
      }
    }
  } finally {
    endGuard()
    clearInterval(alive)
  }
  return {
    contributions: contributions
      .list(point)
      .map(({ pluginId, value }) => ({ pluginId, value, ...(ranks.get(pluginId) ?? { builtIn: false, rank: ranks.size }) })),
    missing: [...unusable(discovered), ...missing],
    faults,
    async stop() {
      for (const error of await scope.dispose()) log.error('Undoing failed while a plugin stopped', { error })
    },
  }
}

const contributes = ({ manifest }: ValidPlugin, point: string): boolean =>
  manifest.stage !== 'declared' && manifest.contributes?.includes(point) === true

/** The contributions of a plugin that cannot be read are unknown, so it may have some here. */
const unusable = (discovered: readonly DiscoveredPlugin[]): readonly MissingContributions[] =>
  discovered.flatMap((plugin) => (plugin.status === 'invalid' ? [{ pluginId: plugin.id, reason: plugin.reason }] : []))

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return ServiceError.isInstance(error) ? error.message : String(error)
  if (!serviceUnavailableError.isInstance(error.cause)) return error.message
  return `${error.message}. The command line sets plugins up outside the service, with ${[clockService, deploymentService, resourcesService].map(({ id }) => id).join(', ')} alone: contribute commands and checks before setup uses other services`
}
