import type { Restarts } from '../../services/restarts.js'

/** No restart is asked for: work may always begin. */
export const createFakeRestarts = (): Restarts => ({
  async hold(signal) {
    signal.throwIfAborted()
    return () => undefined
  },
  tell: () => undefined,
})
