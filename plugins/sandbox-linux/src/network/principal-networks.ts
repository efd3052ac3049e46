import type { Server, Socket } from 'node:net'
import { sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import { type NetworkKeeper, openKeeper } from './network-keeper.js'

/** A loopback of its own, shared by the processes of a principal. */
export interface PrincipalNetwork {
  /** The process whose network namespace it is. */
  readonly pid: number
  /** Listens inside. @throws `sandbox_refused` if the port is taken there. */
  listen(port: number, onConnection: (socket: Socket) => void): Promise<Server>
  /**
   * Listens inside, once for all processes that name the same purpose; the result stops it when
   * the last one calls it. @throws `sandbox_refused` if the port is taken for something else.
   */
  share(port: number, purpose: string, onConnection: (socket: Socket) => void): Promise<() => void>
  /** Connects to a port inside. @throws if nothing listens there. */
  connect(port: number): Promise<Socket>
  /** To be called once by each who joined; the last one ends it. */
  release(): void
}

/**
 * The networks of principals, each kept by the helper as long as it is used and a while longer: a
 * command that follows shortly need not wait for a new one. Nothing listens in one that is unused.
 */
export interface PrincipalNetworks {
  /** A principal has one, and others by name. */
  join(principal: string, name?: string): Promise<PrincipalNetwork>
  /** Ends those networks of a principal that are unused. */
  forget(principal: string): void
  close(): void
}

/** How long a network stays unused, and how many do; the one that is unused the longest ends first. */
const unusedLimitMs = 10_000
export const maxUnused = 16

interface Shared {
  readonly purpose: string
  readonly opened: Promise<Server>
  users: number
}

interface Kept {
  readonly opened: Promise<NetworkKeeper>
  readonly shared: Map<number, Shared>
  users: number
}

/** `limitMs`: see `unusedLimitMs`; tests shorten it. */
export function createPrincipalNetworks(helper: string, limitMs = unusedLimitMs): PrincipalNetworks {
  const kept = new Map<string, Kept>()
  /** Those without users, the one that is unused the longest first, and what ends each. */
  const unused = new Map<string, NodeJS.Timeout>()
  const use = (principal: string): void => {
    clearTimeout(unused.get(principal))
    unused.delete(principal)
  }
  const forget = (principal: string, entry: Kept): void => {
    if (kept.get(principal) !== entry) return
    kept.delete(principal)
    use(principal)
  }
  const endUnused = (principal: string): void => {
    const entry = unused.has(principal) ? kept.get(principal) : undefined
    if (entry === undefined) return
    forget(principal, entry)
    entry.opened.then((keeper) => keeper.end()).catch(() => undefined)
  }
  const leave = (principal: string, entry: Kept): void => {
    if (kept.get(principal) !== entry) return
    unused.set(principal, setTimeout(() => endUnused(principal), limitMs).unref())
    const [oldest] = unused.keys()
    if (unused.size > maxUnused && oldest !== undefined) endUnused(oldest)
  }
  const open = (principal: string): Kept => {
    const entry: Kept = { opened: openKeeper(helper), shared: new Map(), users: 0 }
    kept.set(principal, entry)
    // One that ended by itself is not joined again.
    entry.opened
      .then(({ ended }) => ended)
      .then(
        () => forget(principal, entry),
        () => forget(principal, entry),
      )
    return entry
  }
  return {
    async join(principal, name) {
      const key = keyOf(principal, name)
      const entry = kept.get(key) ?? open(key)
      use(key)
      entry.users += 1
      const release = (): void => {
        entry.users -= 1
        if (entry.users === 0) leave(key, entry)
      }
      try {
        const keeper = await entry.opened
        const listen: PrincipalNetwork['listen'] = async (port, onConnection) => {
          const server = (await keeper.ask('listen', port)) as Server
          return server.on('connection', onConnection)
        }
        return {
          pid: keeper.pid,
          release,
          listen,
          share: (port, purpose, onConnection) => share(entry.shared, port, purpose, () => listen(port, onConnection)),
          connect: async (port) => (await keeper.ask('connect', port)) as Socket,
        }
      } catch (error) {
        release()
        throw error
      }
    },
    forget(principal) {
      for (const key of [...kept.keys()].filter((each) => each === principal || each.startsWith(keyOf(principal, '')))) endUnused(key)
    },
    close() {
      for (const each of unused.values()) clearTimeout(each)
      unused.clear()
      for (const { opened } of kept.values()) opened.then((keeper) => keeper.end()).catch(() => undefined)
      kept.clear()
    },
  }
}

/** Of a principal and a loopback, whose names have no slash. */
const keyOf = (principal: string, name: string | undefined): string => (name === undefined ? principal : `${principal}/${name}`)

async function share(all: Map<number, Shared>, port: number, purpose: string, listen: () => Promise<Server>): Promise<() => void> {
  const shared = all.get(port) ?? { purpose, opened: listen(), users: 0 }
  if (shared.purpose !== purpose)
    throw sandboxRefusedError.create({ reason: `port ${port} inside leads elsewhere, for another process of the same principal` })
  all.set(port, shared)
  shared.users += 1
  const leave = (): void => {
    shared.users -= 1
    if (shared.users > 0) return
    if (all.get(port) === shared) all.delete(port)
    shared.opened.then((server) => server.close()).catch(() => undefined)
  }
  try {
    await shared.opened
    return leave
  } catch (error) {
    leave()
    throw error
  }
}
