import { createSystemClock } from '@agent-service/kernel-core/clock'
import { expect } from 'chai'
import { createPasswordHasher } from './password-hasher.js'

describe('hashing a password', () => {
  it('does not block the event loop', async () => {
    const hasher = createPasswordHasher({ clock: createSystemClock() })
    let longest = 0
    let last = performance.now()
    const ticks = setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }, 1)
    try {
      const start = performance.now()
      await hasher.hash('correct horse')
      // A hash that ran on the event loop would stop it for its whole time.
      expect(longest).to.be.lessThan((performance.now() - start) * 0.7)
    } finally {
      clearInterval(ticks)
    }
  })
})
