import { type IncomingMessage, request as sendRequest } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'

/** An event as a client gets it. */
export interface FollowedEvent {
  readonly id: number
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
}

/** How long a service that answers 503 is asked again, and how often, in milliseconds. */
const patienceMs = 20_000
const retryMs = 250

/**
 * One tab: follows a person's stream over any number of connections, each of which goes on where
 * the one before ended.
 */
export interface Follower {
  /**
   * Resolves when the service has accepted the stream. `after`: from there on; else behind the last
   * event, or, the first time, from now on.
   */
  connect(url: string, options?: { readonly after?: number }): Promise<void>
  /** Resolves when the present connection, if there is one, has ended. */
  ended(): Promise<void>
  /** Ends the connection now. */
  drop(): void
  /** Ends the connection in the middle of what comes next, behind this share of its bytes. */
  cut(share: number): Promise<void>
  lastId(): number | undefined
}

/**
 * Makes a follower. Everything that a stream must never do goes to `problems`: an id that does not
 * grow, over all connections, and an event without an id. `reset` is no event: it goes to
 * `onReset`, and the stream goes on behind its id.
 */
export function createFollower(options: {
  readonly name: string
  readonly token: string
  readonly chatId?: string
  readonly problems: string[]
  readonly onEvent: (event: FollowedEvent) => void
  readonly onReset: (id: number) => void
}): Follower {
  const { name, token, chatId, problems, onEvent, onReset } = options
  let last: number | undefined
  let current: { readonly drop: () => void; readonly ended: Promise<void>; cutAt: number | undefined } | undefined
  let useHeader = false

  const take = (id: string | undefined, event: string, text: string): void => {
    if (event === 'closing') return
    if (id === undefined) {
      problems.push(`${name}: “${event}” has no id`)
      return
    }
    const number = Number(id)
    if (event === 'reset') {
      last = number
      onReset(number)
      return
    }
    if (last !== undefined && number <= last) {
      problems.push(`${name}: “${event}” has the id ${number}, and ${last} was seen before it`)
      return
    }
    last = number
    onEvent({ id: number, name: event, data: JSON.parse(text) as Record<string, unknown> })
  }

  const read = (response: IncomingMessage): void => {
    const decoder = new StringDecoder('utf8')
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        if (data !== '') take(id, event ?? 'message', data)
      },
    })
    const own = current
    response.on('data', (chunk: Buffer) => {
      if (own !== current) return
      const cutAt = own?.cutAt
      parser.feed(decoder.write(cutAt === undefined ? chunk : chunk.subarray(0, Math.floor(chunk.length * cutAt))))
      if (cutAt !== undefined) own?.drop()
    })
    response.on('error', () => undefined)
  }

  /** Begins a connection, and gives the status of its answer. */
  const open = (url: string, after: number | undefined): Promise<number> => {
    current?.drop()
    // Both ways to say where to go on.
    useHeader = !useHeader
    const search = new URLSearchParams({
      ...(after === undefined || useHeader ? {} : { after: String(after) }),
      ...(chatId === undefined ? {} : { chat_id: chatId }),
    })
    return new Promise((resolve, reject) => {
      const request = sendRequest(`${url}/api/events?${search}`, {
        agent: false,
        headers: { authorization: `Bearer ${token}`, ...(after === undefined || !useHeader ? {} : { 'last-event-id': String(after) }) },
      })
      const ended = new Promise<void>((closed) => request.once('close', closed))
      current = { drop: () => request.destroy(), ended, cutAt: undefined }
      request.on('error', reject)
      request.once('close', () => reject(new Error(`${name}: the stream ended before it began.`)))
      request.once('response', (response) => {
        const status = response.statusCode ?? 0
        if (status === 200) read(response)
        else request.destroy()
        resolve(status)
      })
      request.end()
    })
  }

  return {
    async connect(url, { after = last } = {}) {
      for (const end = Date.now() + patienceMs; ; await setTimeout(retryMs)) {
        const status = await open(url, after)
        if (status === 200) return
        // A service that has no room, or is not there yet, says so.
        if (status !== 503 || Date.now() > end) throw new Error(`${name}: the stream answered ${status}.`)
      }
    },
    ended: () => current?.ended ?? Promise.resolve(),
    drop() {
      const dropped = current
      current = undefined
      dropped?.drop()
    },
    async cut(share) {
      const own = current
      if (!own) return
      own.cutAt = share
      // A stream that says nothing is cut as well.
      if (!(await Promise.race([own.ended.then(() => true), setTimeout(50, false)]))) own.drop()
      await own.ended
      if (current === own) current = undefined
    },
    lastId: () => last,
  }
}
