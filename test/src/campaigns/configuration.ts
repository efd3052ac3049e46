import { openTestConfigurations, type TestConfiguration } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import fc from 'fast-check'
import { fieldCases } from '../configuration/support/field-cases.js'
import { splitConfigurations } from '../configuration/support/random-configuration.js'
import type { CampaignOptions } from './index.js'

const runsOfShortForm = 60

/**
 * Says random configurations in one file, and split in any way between a file and the environment,
 * and holds the effective values and the problems of both against each other. @throws with the
 * smallest configuration for which they differ.
 */
export async function run({ seed, seconds, full, print }: CampaignOptions): Promise<{ readonly runs: number }> {
  const configurations = await openTestConfigurations()
  let runs = 0
  try {
    const { schema } = await configurations.load()
    if (schema === undefined) throw new Error('There is no schema.')
    const cases = [...fieldCases(schema).values()].flat()
    const limits = full ? { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: seconds * 1000 } : { numRuns: runsOfShortForm }
    await fc.assert(
      fc.asyncProperty(splitConfigurations(cases), async ({ whole, file, environment }) => {
        const one = outcomeOf(await configurations.load({ yaml: JSON.stringify(whole) }))
        const other = outcomeOf(await configurations.load({ yaml: JSON.stringify(file), environment }))
        expect(other).to.deep.equal(one)
        runs += 1
        if (full && runs % 1000 === 0) print(`${runs} configurations`)
      }),
      { seed, ...limits, markInterruptAsFailure: false },
    )
  } finally {
    await configurations.remove()
  }
  print(`${runs} configurations, SEED=${seed}`)
  return { runs }
}

/** The values, and what is wrong without saying where it was written. */
const outcomeOf = ({ values, problems }: TestConfiguration) => ({
  values,
  problems: [...new Set(problems.map(({ path }) => path))].sort(),
})
