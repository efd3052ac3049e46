import type { JsonObject, Logger } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import type WebSocket from 'ws'
import { browserCommandError, browserLostError, browserSlowError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import { type IncomingMessage, readMessage } from './messages.js'
import type { CommandOptions, ProtocolSession } from './protocol-session.js'

/** A connection to a browser, with a session for each target that it is attached to. */
export interface ProtocolConnection {
  /** The browser itself. */
  readonly browser: ProtocolSession
  /** The session of an attached target. The same one each time. */
  session(id: string): ProtocolSession
  /** Ends the connection; open commands fail. */
  close(reason: string): void
}

interface OpenSession extends ProtocolSession {
  receive(event: string, parameters: JsonObject): void
  end(reason: Error): void
}

interface Pending {
  resolve(result: JsonObject): void
  reject(error: Error): void
  readonly method: string
  readonly sessionId: string | undefined
}

/**
 * Speaks the Chrome DevTools Protocol over an open WebSocket, in its flat form: each message names
 * its session. A connection without a sign of life is ended.
 */
export function createConnection(socket: WebSocket, { log }: { readonly log: Logger }): ProtocolConnection {
  const pending = new Map<number, Pending>()
  const sessions = new Map<string, OpenSession>()
  let lastId = 0
  let lost: Error | undefined

  const send = (sessionId: string | undefined, method: string, parameters: object, options: CommandOptions): Promise<JsonObject> => {
    const { signal, limitMs = limits.commandMs } = options
    lastId += 1
    const id = lastId
    const answered = (): Promise<JsonObject> =>
      new Promise((resolve, reject) => {
        if (lost !== undefined) return reject(lost)
        pending.set(id, { resolve, reject, method, sessionId })
        socket.send(JSON.stringify({ id, method, params: parameters, ...(sessionId === undefined ? {} : { sessionId }) }), (error) => {
          if (error) reject(browserLostError.create({ reason: 'it could not be written to' }, { cause: error }))
        })
      })
    const timedOut = (): Error => browserSlowError.create({ method, limitMs })
    return withTimeLimit(answered, { limitMs, timedOut, ...(signal && { signal }) }).finally(() => pending.delete(id))
  }
  const create = (id: string | undefined): OpenSession => createSession(id, { send, child: (childId) => open(childId), log })
  const browser = create(undefined)
  const end = (reason: string, cause?: unknown): void => {
    if (lost !== undefined) return
    const error = browserLostError.create({ reason }, { cause })
    lost = error
    clearInterval(heartbeat)
    for (const each of pending.values()) each.reject(error)
    for (const each of [browser, ...sessions.values()]) each.end(error)
    sessions.clear()
    socket.terminate()
  }
  const heartbeat = keepAlive(socket, () => end('it gave no sign of life'))
  /** Answers to a target that is gone never come. */
  const forget = (id: string): void => {
    const error = browserLostError.create({ reason: 'the page was closed' })
    for (const each of pending.values()) if (each.sessionId === id) each.reject(error)
    sessions.get(id)?.end(error)
    sessions.delete(id)
  }
  const receive = (message: IncomingMessage): void => {
    if (typeof message.id === 'number') return void settle(pending.get(message.id), message)
    if (typeof message.method !== 'string') return
    const parameters = message.params ?? {}
    if (message.method === 'Target.detachedFromTarget') forget(String(parameters['sessionId']))
    const session = message.sessionId === undefined ? browser : sessions.get(message.sessionId)
    session?.receive(message.method, parameters)
  }
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? undefined : readMessage(String(data))
    if (message === undefined) return log.warn('The browser sent something that is no message of its protocol.')
    if (message.method === 'Target.attachedToTarget') open(String(message.params?.['sessionId']))
    receive(message)
  })
  socket.on('error', (error) => end('it failed', error))
  socket.on('close', () => end('it was closed by the browser service'))
  const open = (id: string): OpenSession => {
    const known = sessions.get(id)
    if (known !== undefined) return known
    const made = create(id)
    if (lost === undefined) sessions.set(id, made)
    else made.end(lost)
    return made
  }
  return { browser, session: open, close: (reason) => end(reason) }
}

type Send = (sessionId: string | undefined, method: string, parameters: object, options: CommandOptions) => Promise<JsonObject>

function createSession(
  id: string | undefined,
  { send, child, log }: { readonly send: Send; readonly child: (id: string) => ProtocolSession; readonly log: Logger },
): OpenSession {
  const listeners = new Map<string, Set<(parameters: never) => void>>()
  const ended = new AbortController()
  return {
    id,
    child,
    ended: ended.signal,
    async send<Result>(method: string, parameters: object = {}, options: CommandOptions = {}) {
      if (ended.signal.aborted) throw ended.signal.reason
      return (await send(id, method, parameters, options)) as Result
    },
    on(event, listener) {
      const all = listeners.get(event) ?? new Set()
      listeners.set(event, all.add(listener as (parameters: never) => void))
      return () => void all.delete(listener as (parameters: never) => void)
    },
    receive(event, parameters) {
      for (const listener of [...(listeners.get(event) ?? [])]) {
        try {
          listener(parameters as never)
        } catch (error) {
          log.error('A listener of the browser’s events failed.', { event, error })
        }
      }
    },
    end(reason) {
      if (!ended.signal.aborted) ended.abort(reason)
      listeners.clear()
    },
  }
}

function settle(waiting: Pending | undefined, { result, error }: IncomingMessage): void {
  if (waiting === undefined) return
  if (error === undefined) return void waiting.resolve(result ?? {})
  const reason = String(error.message ?? 'no reason was given').slice(0, 300)
  waiting.reject(browserCommandError.create({ method: waiting.method, reason }))
}

function keepAlive(socket: WebSocket, dead: () => void): NodeJS.Timeout {
  let isAlive = true
  const alive = (): void => {
    isAlive = true
  }
  socket.on('pong', alive).on('message', alive)
  const timer = setInterval(() => {
    if (!isAlive) return dead()
    isAlive = false
    socket.ping()
  }, limits.heartbeatMs)
  return timer.unref()
}
