import { type SchedulerJob, schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import type { DisposableScope, NamedCollection, StoppingHooks } from '@agent-service/sdk/host'
import type { Admission, PreparedContribution } from '../contributions/contribution-registry.js'
import { type EndedSetup, prepareContributions } from '../contributions/prepare-contributions.js'
import type { ValidPlugin } from '../discover/discovered-plugin.js'
import { addRoutes, contributed } from './add-routes.js'
import type { PluginEnvironment, PluginSurroundings } from './plugin-environment.js'
import type { PluginFault } from './plugin-faults.js'

/** Whose contributions are published, and the scope that withdraws them. */
export interface PublishedPlugin {
  readonly plugin: ValidPlugin
  readonly environment: PluginEnvironment
  readonly scope: DisposableScope
  readonly stopping: StoppingHooks
  /** Absent before the database is open. */
  readonly surroundings: PluginSurroundings | undefined
  /** Called when a contribution breaks its contract and the service goes on. */
  readonly onFault: (fault: PluginFault) => void
}

/** What the contributions of a setup are held to. */
export interface SetupPromises {
  /** Ids of the services that it has to provide. */
  readonly provides: readonly string[]
  /** The build has checked them. */
  readonly isChecked?: boolean
  readonly collections: readonly NamedCollection[]
}

/** Checks contributions, and names them after the plugin. @throws `plugin_start_failed` with every fault. */
export function prepare(
  { plugin, environment, onFault }: PublishedPlugin,
  setup: EndedSetup,
  { provides, collections, isChecked = false }: SetupPromises,
): readonly PreparedContribution[] {
  return prepareContributions(setup, {
    ...{ plugin, collections, isChecked, manifest: { provides }, knownPoints: environment.knownPoints },
    guard: {
      run: (work) => environment.faults.run(plugin.id, work),
      onFault: (place, error) => onFault({ pluginId: plugin.id, kind: 'broken contribution', error, place }),
    },
  })
}

/** Makes contributions visible, all at once: routes, jobs, and the registry. */
export function publish(
  { plugin, environment, scope, stopping, surroundings }: PublishedPlugin,
  prepared: readonly PreparedContribution[],
): Admission {
  const standby = environment.standbyOf(plugin.id)
  const contributions = standby === undefined ? prepared : prepared.filter(({ point }) => point === standby || point === userData.id)
  let admission: Admission | undefined
  addRoutes({ plugin, environment, scope, stopping }, contributions, () => admission?.acquire())
  const admitted = environment.contributions.admit(plugin.id, contributions)
  admission = admitted
  scope.add('contributions', () => admitted.withdraw())
  if (surroundings === undefined) return admitted
  for (const job of contributed<SchedulerJob>(contributions, schedulerJobs.id))
    scope.add(`job ${job.id}`, surroundings.scheduler.add(leased(job, admitted), { pluginId: plugin.id }))
  return admitted
}

/**
 * A run is a call in flight like any other: disabling the plugin waits for it, and aborts it after
 * the time limit.
 */
function leased(job: SchedulerJob, admission: Admission): SchedulerJob {
  return {
    ...job,
    async run(run) {
      const lease = admission.acquire()
      if (lease === undefined) return
      try {
        await job.run({ ...run, signal: AbortSignal.any([run.signal, lease.signal]) })
      } finally {
        lease.release()
      }
    },
  }
}
