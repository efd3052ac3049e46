import { isProblem } from '@agent-service/sdk/web'
import { api, sharedQuery } from '../../api/index.js'

/** Without its plugin, sharing has no routes. */
const sharing = sharedQuery({
  key: ['sharing'],
  initial: false,
  async read(signal) {
    try {
      await api.get('/api/shares', { query: { limit: 1 }, signal })
      return true
    } catch (error) {
      if (isProblem(error) && error.status === 404) return false
      throw error
    }
  },
})

let isAsked = false

/** Whether links can be made here; no, until it is known. The first call asks, for all places, and one after that has failed. */
export function canShare(): boolean {
  void readSharing()
  return sharing.value()
}

async function readSharing(): Promise<void> {
  if (isAsked) return
  isAsked = true
  await sharing.read()
  isAsked = sharing.error() === undefined
}
