import { describeMemoryBackend, describeUserData } from '@agent-service/sdk/testing'
import { startBasic } from './test-support/basic-bench.js'

const { signal } = new AbortController()

describeMemoryBackend({
  name: 'basic',
  supports: { history: false, sweep: true, passes: false, revisions: true },
  async create() {
    const { backend, clock, reopen, close } = await startBasic()
    return { backend, advance: (milliseconds) => clock.advance(milliseconds), reopen, close }
  },
})

describeUserData({
  name: 'of memory-basic',
  async create() {
    const { data, backend, database } = await startBasic()
    return {
      data,
      database,
      async fill(userId) {
        const scope = { kind: 'user' } as const
        for (const text of ['Likes tea', 'Has a dog']) await backend.remember({ userId, scope, text, key: text }, { signal })
        const { id } = await backend.remember({ userId, scope, text: 'Secret', key: 'secret' }, { signal })
        await backend.forget(id, { userId, signal })
      },
      async fillMany(userId) {
        for (let index = 0; index <= 200; index += 1)
          await backend.remember({ userId, scope: { kind: 'user' }, text: `Number ${index}`, key: `key ${index}` }, { signal })
      },
      secrets: [],
      restarted: 'not applicable',
    }
  },
})
