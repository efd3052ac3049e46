import { api } from '../api/client.js'
import { isProblem } from '../api/problem.js'
import { createQueries } from '../query/create-queries.js'

/** What agents can have here. A switch of what is not there would have no effect. */
export interface Abilities {
  /** A back end keeps what they remember. */
  readonly memory: boolean
  /** They can run programs. */
  readonly sandbox: boolean
}

/** Without the plugin of a feature its routes are not there. */
async function unlessAbsent(read: Promise<boolean>): Promise<boolean> {
  try {
    return await read
  } catch (error) {
    if (isProblem(error) && error.status === 404) return false
    throw error
  }
}

const query = createQueries().sharedQuery<Abilities>({
  key: ['abilities'],
  initial: { memory: true, sandbox: true },
  async read() {
    const [memory, sandbox] = await Promise.all([
      unlessAbsent(api.get('/api/memory/status').then(({ available }) => available)),
      unlessAbsent(api.get('/api/sandbox').then(({ driver, disabled }) => driver !== null || disabled)),
    ])
    return { memory, sandbox }
  },
})

/** What there is; everything, as in the normal case, until it is known. */
export const abilities = query.value
/** Asks the service for {@link abilities}, once at a time. Never rejects: after a failure the former ones stay. */
export const readAbilities = query.read
