import { describeMemoryBackend } from '@agent-service/sdk/testing'
import { createWorld, openPkm } from './test-support/open-pkm.js'

describeMemoryBackend({
  name: 'pkm',
  supports: { history: true, sweep: true, passes: true, revisions: false },
  async create() {
    const world = createWorld()
    const first = await openPkm([], { world })
    const opened = [first]
    return {
      backend: first.backend,
      advance: (milliseconds) => world.clock.advance(milliseconds),
      async reopen() {
        const again = await openPkm([], { world })
        opened.push(again)
        return again.backend
      },
      async close() {
        for (const each of opened) await each.dispose()
      },
    }
  },
})
