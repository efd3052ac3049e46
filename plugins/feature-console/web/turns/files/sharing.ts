import { api } from '../../api/client.js'
import { createKept } from '../../api/kept.js'
import { isProblem } from '../../api/problem.js'

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

/** Whether links to files can be made here; no, until it is known. */
export const canShare = kept.value

let isAsked = false
/** Asks once, for all cards. */
export async function readSharing(): Promise<void> {
  if (isAsked) return
  isAsked = true
  await kept.read()
  isAsked = kept.error() === undefined
}
