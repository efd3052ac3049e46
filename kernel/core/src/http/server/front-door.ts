import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { answerParserError } from '../answer/answer-parser-error.js'
import { type ProblemDocument, problemContentType } from '../answer/problem.js'
import { addressUnavailableError, portInUseError } from '../errors.js'
import type { HttpLimits } from '../http-options.js'
import type { ListenAddress } from '../http-server.js'
import { type ConnectionHandlers, createNodeServer } from './node-server.js'

/** What the server behind the door wants of the connections. */
export interface DoorOptions {
  readonly limits: HttpLimits
  readonly keepAliveSeconds: number
  /** The listener reported an error. */
  readonly onError: (error: Error) => void
}

/**
 * The listener of the service's address, with its connections. It outlives the server behind it:
 * while a restart in place replaces one by the next, connections stay open and are taken, and
 * requests wait for the next one.
 */
export interface FrontDoor {
  /**
   * Listens at the address; requests wait until they are admitted. Where it listens at that address
   * already, it goes on. Port 0 means the port of before if it is free, and else any free port.
   * @throws `port_in_use`, `address_unavailable`.
   */
  open(address: ListenAddress, options: DoorOptions): Promise<ListenAddress>
  /** Passes on every request, those that wait first. */
  admit(handlers: ConnectionHandlers): void
  /**
   * From now on requests wait. Those beyond a number, and those that have waited too long, are
   * answered with 503 and `Retry-After`.
   */
  hold(): void
  /** Takes a connection that another listener has accepted, of a program that the service runs. */
  takeProgram(socket: Socket): void
  /** Whether a connection is one of a program. */
  isOfProgram(socket: Socket): boolean
  /** Gives up the address, and closes the connections on which nothing is under way. */
  shut(): void
  /** Gives up the address and ends all connections. */
  end(): Promise<void>
}

/** How many requests may wait, and how long. */
export interface DoorLimits {
  readonly maxHeld: number
  readonly maxHeldMs: number
}

const defaultLimits: DoorLimits = { maxHeld: 2_000, maxHeldMs: 30_000 }
const retryAfterSeconds = 5

/** A request that waits. */
interface HeldRequest {
  readonly pass: (handlers: ConnectionHandlers) => void
  readonly refuse: () => void
}

export function createFrontDoor(limits: Partial<DoorLimits> = {}): FrontDoor {
  const { maxHeld, maxHeldMs } = { ...defaultLimits, ...limits }
  /** The one that listens, and those that did and still have connections. */
  const servers = new Set<Server>()
  let server: Server | undefined
  let at: ListenAddress | undefined
  let handlers: ConnectionHandlers | undefined
  let onError: DoorOptions['onError'] = () => undefined
  /** The requests that wait, each with its timer. */
  const held = new Map<HeldRequest, NodeJS.Timeout>()
  const ofPrograms = new WeakSet<Socket>()
  /** Counts the servers behind the door; each connection has the one that it came to. */
  let generation = 0
  const generations = new WeakMap<Duplex, number>()

  const hold = (request: HeldRequest, closed: Pick<NodeJS.EventEmitter, 'once'>): void => {
    if (held.size >= maxHeld) {
      request.refuse()
      return
    }
    const timer = setTimeout(() => {
      held.delete(request)
      request.refuse()
    }, maxHeldMs).unref()
    held.set(request, timer)
    // The answer is no longer waited for.
    closed.once('close', () => leave(request))
  }
  const leave = (request: HeldRequest): boolean => {
    clearTimeout(held.get(request))
    return held.delete(request)
  }
  const receive: ConnectionHandlers['receive'] = (request, response) => {
    const pass = (to: ConnectionHandlers): void => {
      // The connection ends with this answer: what earlier servers have attached to it goes with it.
      if (generations.get(request.socket) !== generation) response.setHeader('connection', 'close')
      to.receive(request, response)
    }
    if (handlers) pass(handlers)
    else hold({ pass, refuse: () => refuse(request, response) }, response)
  }
  const upgrade: ConnectionHandlers['upgrade'] = (request, socket, head, ignore) => {
    if (handlers) return handlers.upgrade(request, socket, head, ignore)
    const broke = (): void => void socket.destroy()
    socket.on('error', broke)
    const pass = (to: ConnectionHandlers): void => {
      socket.off('error', broke)
      to.upgrade(request, socket, head, ignore)
    }
    return hold({ pass, refuse: () => socket.destroy() }, socket)
  }
  const own: ConnectionHandlers = {
    receive,
    upgrade,
    fail: (error, socket) => (handlers ? handlers.fail(error, socket) : answerParserError(error, socket, {})),
  }
  const listen = async (address: ListenAddress, options: DoorOptions): Promise<void> => {
    // The same port of another host may overlap with what listens there.
    if (at?.port === address.port) shut()
    const next = createNodeServer(options.limits, own)
    next.on('connection', (socket) => void generations.set(socket, generation))
    next.once('close', () => servers.delete(next))
    const again = address.port === 0 ? at?.port : undefined
    await listenOn(next, address.host, again ?? address.port).catch((error: unknown) => {
      if (again === undefined || !portInUseError.isInstance(error)) throw error
      return listenOn(next, address.host, 0)
    })
    shut()
    next.on('error', (error) => onError(error))
    servers.add(next)
    server = next
    at = { host: address.host, port: (next.address() as AddressInfo).port }
  }
  const shut = (): void => {
    if (server?.listening) server.close()
    server?.closeIdleConnections()
    at = undefined
  }

  return {
    async open(address, options) {
      const isSame = at !== undefined && at.host === address.host && (address.port === 0 || address.port === at.port)
      if (!isSame) await listen(address, options)
      if (!server || !at) throw new Error('The door was closed while it was being opened.')
      server.keepAliveTimeout = options.keepAliveSeconds * 1000
      onError = options.onError
      return at
    },
    admit(next) {
      handlers = next
      for (const request of [...held.keys()]) if (leave(request)) request.pass(next)
    },
    hold() {
      handlers = undefined
      generation += 1
    },
    takeProgram(socket) {
      ofPrograms.add(socket)
      server?.emit('connection', socket)
    },
    isOfProgram: (socket) => ofPrograms.has(socket),
    shut,
    async end() {
      handlers = undefined
      at = undefined
      // The connection of a handshake that waits is not among those that Node closes.
      for (const request of [...held.keys()]) if (leave(request)) request.refuse()
      await Promise.all(
        [...servers].map((each) => {
          const closed = each.listening ? new Promise((resolve) => each.close(resolve)) : undefined
          each.closeAllConnections()
          return closed
        }),
      )
    },
  }
}

/** Answers without reading what the client sends, and closes the connection. */
function refuse({ socket }: IncomingMessage, response: ServerResponse): void {
  const detail = 'The service is restarting. Try again in a few seconds.'
  const document: ProblemDocument = {
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail,
    code: 'not_ready',
    request_id: uuidv7(),
  }
  const headers = {
    'content-type': problemContentType,
    'cache-control': 'no-store',
    'retry-after': String(retryAfterSeconds),
    connection: 'close',
  }
  response.on('error', () => socket.destroy())
  response.writeHead(503, headers).end(JSON.stringify(document))
}

function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void =>
      reject(
        error.code === 'EADDRINUSE'
          ? portInUseError.create({ host, port }, { cause: error })
          : addressUnavailableError.create({ host, port, reason: error.code ?? error.message }, { cause: error }),
      )
    server.once('error', failed)
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', failed)
      resolve()
    })
  })
}
