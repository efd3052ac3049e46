import { createKept, isProblem } from '@agent-service/sdk/web'
import { api } from '../../api/index.js'

/** Without its plugin, sharing has no routes. */
const kept = createKept(false, async () => {
  try {
    await api.get('/api/shares', { query: { limit: 1 } })
    return true
  } catch (error) {
    if (isProblem(error) && error.status === 404) return false
    throw error
  }
})

let isAsked = false

/** Whether links can be made here; no, until it is known. The first call asks, for all places, and one after that has failed. */
export function canShare(): boolean {
  void readSharing()
  return kept.value()
}

async function readSharing(): Promise<void> {
  if (isAsked) return
  isAsked = true
  await kept.read()
  isAsked = kept.error() === undefined
}
