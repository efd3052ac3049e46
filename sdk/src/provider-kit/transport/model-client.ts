import type { Agent } from 'undici'
import { type Post, post } from './post.js'
import type { UpstreamResponse } from './upstream-response.js'

/**
 * The maximum number of connections to one endpoint: the number of concurrent runs in a process. A
 * call beyond them waits for a free one, within its limit for the first token.
 */
const connectionsPerEndpoint = 1_024
/**
 * The maximum number of pools. A deployment has one limit for connections, so more than one is
 * rare.
 */
const poolLimit = 4

/**
 * The HTTP client of an adapter: the connections of all its calls, kept open between them for a few
 * seconds. Its plugin closes it.
 */
export interface ModelClient {
  /**
   * Posts over a connection that may take `connectMs` to open. No other limit is set here: how long
   * the head and the body of the answer may take is up to the signal. Redirects are not followed.
   * Rejects with what went wrong below HTTP, or the signal's reason.
   */
  post(request: Post, connectMs: number): Promise<UpstreamResponse>
  /** Loads the HTTP client, so that the first call does not wait for it. */
  load(): Promise<void>
  /** Ends every connection and its calls; later requests fail. May be called more than once. */
  close(): Promise<void>
}

/**
 * Makes a client without connections. The HTTP library is loaded with the first request, so that a
 * start does not wait for it.
 */
export function createModelClient(): ModelClient {
  const pools = new Map<number, Agent>()
  const retiring = new Set<Agent>()
  let loading: Promise<{ readonly default: typeof Agent }> | undefined
  let isClosed = false

  /** Lets the calls of a pool end, and closes it then. */
  const retire = (connectMs: number, pool: Agent): void => {
    pools.delete(connectMs)
    retiring.add(pool)
    const forget = (): void => void retiring.delete(pool)
    pool.close().then(forget, forget)
  }
  const poolOf = (Pool: typeof Agent, connectMs: number): Agent => {
    const known = pools.get(connectMs)
    if (known) return known
    const [oldest] = pools
    if (oldest && pools.size >= poolLimit) retire(...oldest)
    const pool = new Pool({
      connect: { timeout: connectMs },
      connections: connectionsPerEndpoint,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    pools.set(connectMs, pool)
    return pool
  }

  const client = (): Promise<{ readonly default: typeof Agent }> => {
    loading ??= import('undici/lib/dispatcher/agent.js')
    return loading
  }

  return {
    async post(request, connectMs) {
      const { default: Pool } = await client()
      if (isClosed) throw new Error('The provider is being stopped.')
      return await post(poolOf(Pool, connectMs), request)
    },
    async load() {
      await client()
    },
    async close() {
      isClosed = true
      const open = [...pools.values(), ...retiring]
      pools.clear()
      retiring.clear()
      await Promise.all(open.map((pool) => pool.destroy()))
    },
  }
}
