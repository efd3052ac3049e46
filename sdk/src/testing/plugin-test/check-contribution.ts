import { contributionChecks } from '../../contracts/contribution-checks/contribution-checks.js'
import type { Problem } from '../../core/errors.js'

/**
 * The host's problems with a contribution, each with a JSON pointer. Empty for a point that has no
 * check.
 */
export function checkContribution(point: string, contribution: unknown): readonly Problem[] {
  return contributionChecks.get(point)?.(contribution) ?? []
}
