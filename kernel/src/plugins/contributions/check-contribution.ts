import type { Contribution, Problem } from '@agent-service/sdk'
import { contributionChecks } from '@agent-service/sdk/contracts/contribution-checks'

/** Everything that is wrong with a contribution, by the check of its point. Empty when the host can use it. */
export function checkContribution(point: string, contribution: Contribution): readonly Problem[] {
  return contributionChecks.get(point)?.(contribution) ?? []
}
