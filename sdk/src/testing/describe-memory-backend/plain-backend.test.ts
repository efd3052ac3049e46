import type { MemoryBackend } from '../../contracts/memory-backend/memory-backend.js'
import { createTestClock } from '../fakes/test-clock.js'
import { createPlainMemory } from '../plain-memory/index.js'
import { describeMemoryBackend, type MemoryBench } from './index.js'

/** What a plain memory has. */
export const plainSuite = { name: 'in memory', supports: { history: false, sweep: false, passes: false, revisions: false } }

/** A bench of a plain memory, changed by a test. */
export function createPlainBench(change: (backend: MemoryBackend) => Partial<MemoryBackend> = () => ({})): MemoryBench {
  const clock = createTestClock()
  const plain = createPlainMemory({ now: () => clock.now() })
  return {
    backend: { ...plain, ...change(plain) },
    advance: (milliseconds) => clock.advance(milliseconds),
    close: async () => undefined,
  }
}

describeMemoryBackend({ ...plainSuite, create: () => createPlainBench() })
