import { STATUS_CODES } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { v7 as uuidv7 } from 'uuid'
import { type ProblemDocument, problemContentType } from '../answer/problem.js'
import { addressUnavailableError, portInUseError } from '../errors.js'
import type { ListenAddress } from '../http-server.js'

/**
 * The listener of the service's address. It outlives the servers behind it: while a restart in place
 * replaces one by the next, it stays open, and connections wait for the next one.
 */
export interface FrontDoor {
  /**
   * Listens at the address; connections wait until they are admitted. Where it listens at that
   * address already, it goes on. Port 0 means the port of before if it is free, and else any free
   * port. @throws `port_in_use`, `address_unavailable`.
   */
  open(address: ListenAddress, options: DoorOptions): Promise<ListenAddress>
  /** Passes on every connection, those that wait first. */
  admit(receive: (socket: Socket) => void): void
  /**
   * From now on connections wait. Those beyond a number, and those that have waited too long, are
   * answered with 503 and `Retry-After`.
   */
  hold(): void
  /** Closes the address and ends the connections that wait. */
  close(): void
}

/** What the server of the moment wants of the listener. */
export interface DoorOptions {
  readonly maxConnections: number
  /** The listener reported an error. */
  readonly onError: (error: Error) => void
}

/** How many connections may wait, and how long. */
export interface DoorLimits {
  readonly maxHeld: number
  readonly maxHeldMs: number
}

const defaultLimits: DoorLimits = { maxHeld: 2_000, maxHeldMs: 30_000 }
/** How long a client that was refused may take to close its connection. */
const lingerMs = 2_000
const retryAfterSeconds = 5

export function createFrontDoor(limits: Partial<DoorLimits> = {}): FrontDoor {
  const { maxHeld, maxHeldMs } = { ...defaultLimits, ...limits }
  let listener: Server | undefined
  let at: ListenAddress | undefined
  let receive: ((socket: Socket) => void) | undefined
  let onError: DoorOptions['onError'] = ignore
  /** The connections that wait, each with its timer. */
  const held = new Map<Socket, NodeJS.Timeout>()

  const take = (socket: Socket): void => {
    if (receive) pass(socket, receive)
    else if (held.size >= maxHeld) refuse(socket)
    else wait(socket)
  }
  const wait = (socket: Socket): void => {
    const timer = setTimeout(() => {
      leave(socket)
      refuse(socket)
    }, maxHeldMs).unref()
    held.set(socket, timer)
    socket.on('error', ignore).once('close', () => leave(socket))
  }
  const leave = (socket: Socket): void => {
    clearTimeout(held.get(socket))
    held.delete(socket)
  }
  const endListener = (): void => {
    listener?.close()
    listener = undefined
    at = undefined
  }

  return {
    async open(address, options) {
      const isSame = at !== undefined && at.host === address.host && (address.port === 0 || address.port === at.port)
      if (!isSame) {
        // The same port of another host may overlap with what listens there.
        if (at?.port === address.port) endListener()
        const opened = await listenAt(address, { portBefore: at?.port, take })
        endListener()
        listener = opened.on('error', (error) => onError(error))
        at = { host: address.host, port: (opened.address() as AddressInfo).port }
      }
      if (!listener || !at) throw new Error('The door was closed while it was being opened.')
      listener.maxConnections = options.maxConnections
      onError = options.onError
      return at
    },
    admit(next) {
      receive = next
      for (const socket of [...held.keys()]) {
        leave(socket)
        socket.off('error', ignore)
        pass(socket, next)
      }
    },
    hold() {
      receive = undefined
    },
    close() {
      receive = undefined
      endListener()
      for (const socket of [...held.keys()]) {
        leave(socket)
        socket.destroy()
      }
    },
  }
}

/** A connection that ends while it waits concerns nobody. */
const ignore = (): void => undefined

/** Nothing was read from the connection so far. */
function pass(socket: Socket, receive: (socket: Socket) => void): void {
  receive(socket)
  socket.resume()
}

/** Answers whatever the client asks, without reading it, and closes the connection. */
function refuse(socket: Socket): void {
  const title = STATUS_CODES[503] ?? ''
  const document: ProblemDocument = {
    type: 'about:blank',
    title,
    status: 503,
    detail: 'The service is restarting. Try again in a few seconds.',
    code: 'not_ready',
    request_id: uuidv7(),
  }
  const body = JSON.stringify(document)
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.on('error', ignore).once('close', () => clearTimeout(timer))
  // What the client has sent is read and thrown away: else its answer may be lost with it.
  socket.resume()
  socket.end(
    [
      `HTTP/1.1 503 ${title}`,
      'connection: close',
      `content-type: ${problemContentType}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      `retry-after: ${retryAfterSeconds}`,
      '',
      body,
    ].join('\r\n'),
  )
}

async function listenAt(
  { host, port }: ListenAddress,
  { portBefore, take }: { readonly portBefore: number | undefined; readonly take: (socket: Socket) => void },
): Promise<Server> {
  const again = port === 0 ? portBefore : undefined
  // The first options are those with which Node's HTTP server opens its own connections. Nothing is
  // read from a connection before somebody is there to read it.
  const listener = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true, pauseOnConnect: true }, take)
  await listenOn(listener, host, again ?? port).catch((error: unknown) => {
    if (again === undefined || !portInUseError.isInstance(error)) throw error
    return listenOn(listener, host, 0)
  })
  return listener
}

function listenOn(listener: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void =>
      reject(
        error.code === 'EADDRINUSE'
          ? portInUseError.create({ host, port }, { cause: error })
          : addressUnavailableError.create({ host, port, reason: error.code ?? error.message }, { cause: error }),
      )
    listener.once('error', failed)
    listener.listen({ host, port, backlog: 1024 }, () => {
      listener.off('error', failed)
      resolve()
    })
  })
}
