import { strict as assert } from 'node:assert'
import { checkMemoryBackend } from '../../contracts/memory-backend/check-memory-backend.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner } from '../suite-runner.js'
import { describeAborts } from './aborts.js'
import { describeChats } from './chats.js'
import { describeForgetting } from './forgetting.js'
import { describeHistory } from './history.js'
import { describeLists } from './lists.js'
import { describeMoves } from './moves.js'
import { describePrompts } from './prompts.js'
import { describeRemembering } from './remembering.js'
import { describeSearches } from './searches.js'
import { withSuiteBench } from './suite-bench.js'
import type { MemoryBackendSuiteOptions, MemorySuite } from './suite-options.js'
import { describeSweeps } from './sweeps.js'
import { describeUsers } from './users.js'

/**
 * Tests every rule of the `memory.backend` contract that holds for all back ends. What one makes of
 * chats is its own: test that beside the suite.
 *
 * @example
 * const test = (create: () => MemoryBench) =>
 *   describeMemoryBackend({ name: 'tree', create, supports: { history: false, sweep: false, passes: false, revisions: false } })
 */
export function describeMemoryBackend({ create, runner = globalSuiteRunner(), ...given }: MemoryBackendSuiteOptions): void {
  const options = { abortLimitMs: 5_000, ...given }
  const suite: MemorySuite = { options, it: (title, test) => runner.it(title, () => withSuiteBench(create, test)) }
  runner.describe(`memory back end ${options.name}`, () => {
    suite.it(soundTitle, async ({ backend }) => {
      assertSound(checkMemoryBackend(backend))
      assert.deepEqual({ ...backend.supports }, { ...options.supports })
    })
    describeRemembering(suite)
    describeUsers(suite)
    describeSearches(suite)
    describePrompts(suite)
    describeForgetting(suite)
    describeLists(suite)
    describeMoves(suite)
    describeChats(suite)
    describeSweeps(suite)
    if (options.supports.history) describeHistory(suite)
    describeAborts(suite)
  })
}
