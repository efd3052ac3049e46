import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import { sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import type { SandboxUser } from '../machine/sandbox-users.js'

/** A loopback of its own, shared by the processes of a principal. */
export interface PrincipalNetwork {
  /** The process whose network namespace it is. */
  readonly pid: number
  /** Listens inside. @throws `sandbox_refused` if the port is taken there. */
  listen(port: number, onConnection: (socket: Socket) => void): Promise<Server>
  /** Connects to a port inside. @throws if nothing listens there. */
  connect(port: number): Promise<Socket>
  /** To be called once by each who joined; the last one ends it. */
  release(): void
}

/** The networks of principals, each kept by the helper as long as it is used. */
export interface PrincipalNetworks {
  join(principal: string, user: SandboxUser | undefined): Promise<PrincipalNetwork>
  close(): void
}

/** An answer of the helper: a socket as the handle, or the reason why there is none. */
interface Answer {
  readonly ready?: true
  readonly listen?: number
  readonly connect?: number
  readonly error?: string
}

export function createPrincipalNetworks(helper: string): PrincipalNetworks {
  const kept = new Map<string, { readonly opened: Promise<Keeper>; users: number }>()
  return {
    async join(principal, user) {
      const entry = kept.get(principal) ?? { opened: openKeeper(helper, user), users: 0 }
      kept.set(principal, entry)
      entry.users += 1
      const release = (): void => {
        entry.users -= 1
        if (entry.users > 0) return
        if (kept.get(principal) === entry) kept.delete(principal)
        entry.opened.then((keeper) => keeper.end()).catch(() => undefined)
      }
      try {
        const { pid, ask } = await entry.opened
        return {
          pid,
          release,
          async listen(port, onConnection) {
            const server = (await ask('listen', port)) as Server
            return server.on('connection', onConnection)
          },
          connect: async (port) => (await ask('connect', port)) as Socket,
        }
      } catch (error) {
        release()
        throw error
      }
    },
    close() {
      for (const { opened } of kept.values()) opened.then((keeper) => keeper.end()).catch(() => undefined)
      kept.clear()
    },
  }
}

/** The helper that keeps a network. */
interface Keeper {
  readonly pid: number
  ask(verb: 'listen' | 'connect', port: number): Promise<Server | Socket>
  end(): void
}

async function openKeeper(helper: string, user: SandboxUser | undefined): Promise<Keeper> {
  const ids = user === undefined ? [] : [String(user.uid), String(user.gid)]
  const child = spawn(helper, ['network', ...ids], { cwd: '/', env: {}, stdio: ['pipe', 'ignore', 'pipe', 'ipc'] })
  const [first] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Answer | number | null]
  if (typeof first !== 'object' || first?.ready !== true) {
    throw sandboxRefusedError.create({
      reason: `a network of its own cannot be made: ${String(child.stderr?.read() ?? 'the helper ended')}`,
    })
  }
  child.unref()
  child.channel?.unref()
  return { pid: child.pid ?? 0, ask: createAsk(child), end: () => child.stdin?.end() }
}

/** Asks one thing after the other; answers come in order. */
function createAsk(child: ChildProcess): Keeper['ask'] {
  let last: Promise<unknown> = Promise.resolve()
  const askNow: Keeper['ask'] = async (verb, port) => {
    child.channel?.ref()
    try {
      const answered = once(child, 'message')
      child.stdin?.write(`${verb} ${port}\n`)
      const [answer, handle] = (await answered) as [Answer, Server | Socket | undefined]
      if (handle === undefined)
        throw sandboxRefusedError.create({ reason: `port ${port} inside cannot be reached: ${answer.error ?? 'no answer'}` })
      return handle
    } finally {
      child.channel?.unref()
    }
  }
  return (verb, port) => {
    const asked = last.then(() => askNow(verb, port))
    last = asked.catch(() => undefined)
    return asked
  }
}
