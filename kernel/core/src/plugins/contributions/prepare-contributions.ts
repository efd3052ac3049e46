import { checkSetup, type SetupIntake, type SetupRecord, underOwnName } from '@agent-service/sdk/host'
import { refusedPlugin } from '../plugin-errors.js'
import type { PreparedContribution } from './contribution-registry.js'
import { guardContribution } from './guard-contribution.js'
import type { ContributionGuard } from './guard-tool.js'

/** A setup that has ended. */
export interface EndedSetup extends SetupRecord {
  /** What it did that its manifest does not list, also if the plugin caught the errors. */
  readonly violations: readonly Error[]
}

/**
 * Lifts a plugin's contributions to the contracts of this service, checks them, names them after
 * the plugin and makes their functions run as the plugin's work.
 * @throws `plugin_start_failed` with every fault of the setup.
 */
export function prepareContributions(
  setup: EndedSetup,
  intake: SetupIntake & { readonly guard: ContributionGuard },
): readonly PreparedContribution[] {
  const { contributions, lines } = checkSetup(setup, intake)
  const all = [...setup.violations.map(({ message }) => message), ...lines]
  if (all.length > 0) throw refusedPlugin(all)
  return contributions.map(({ point, key, claims, value }) => ({
    ...{ point, key, claims },
    value: underOwnName(point, guardContribution(point, value, intake.guard), intake.plugin),
  }))
}
