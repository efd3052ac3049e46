import { killWriters, race } from '../configuration/support/configuration-writers.js'
import { createRandom } from '../support/random.js'
import type { CampaignOptions } from './index.js'

/** What the campaign saw. */
export interface SavesOutcome {
  readonly saved: number
  readonly stale: number
  readonly kills: number
}

/**
 * Saves the configuration from two processes at once, in full 1,000 times, and kills savers with
 * SIGKILL, in full 100 times.
 * @throws with everything that should not have happened.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<SavesOutcome> {
  print(`SEED=${seed}`)
  const raced = await race(full ? 500 : 40)
  print(`${raced.saved} saved, ${raced.stale} stale, ${raced.problems.length} problems`)
  const killed = await killWriters(createRandom(seed).next, (kills) => kills < (full ? 100 : 4))
  print(
    `${killed.kills} kills, ${killed.midway} of them while a save was writing, ${killed.saved} saved, ${killed.problems.length} problems`,
  )
  const problems = [...raced.problems, ...killed.problems]
  if (problems.length > 0) throw new Error(`SEED=${seed}:\n${problems.slice(0, 5).join('\n')}`)
  return { saved: raced.saved + killed.saved, stale: raced.stale, kills: killed.kills }
}
