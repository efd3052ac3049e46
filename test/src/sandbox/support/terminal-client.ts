import { EventEmitter, once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import { WebSocket } from 'ws'

/** What the service says in a text frame. */
export type Control = { readonly type: string } & Readonly<Record<string, unknown>>

/** A page that is connected to a terminal. */
export interface TerminalClient {
  readonly socket: WebSocket
  /** The output so far, as text. */
  text(): string
  /** The position after the last byte that came. */
  position(): number
  /** Every control message so far. */
  readonly controls: readonly Control[]
  type(text: string): void
  say(control: Control): void
  /** Resolves with the match when the output, from `after` on, fits. */
  shows(pattern: RegExp, after?: number): Promise<RegExpExecArray>
  /** Resolves with the first control message of a type, or the one that fits. */
  hears(type: string, fits?: (control: Control) => boolean): Promise<Control>
  /** How the connection ended. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  close(): Promise<void>
}

/** Connects to a terminal. `address` is the whole path with its query. @throws an Error with the status and the problem. */
export async function connectTerminal(
  url: string,
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TerminalClient> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${address}`, { headers: { ...headers } })
  const changes = new EventEmitter().setMaxListeners(0)
  const decoder = new StringDecoder()
  const controls: Control[] = []
  let text = ''
  let next = 0
  socket.on('message', (data, isBinary) => {
    const bytes = data as Buffer
    if (isBinary) {
      text += decoder.write(bytes)
      next += bytes.length
    } else {
      const control = JSON.parse(String(bytes)) as Control
      if (['attached', 'skipped', 'masked'].includes(control.type)) next = Number(control['from'])
      if (control.type === 'masked') text += String(control['text'])
      controls.push(control)
    }
    changes.emit('change')
  })
  const closed = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
    socket.once('close', (code, reason) => {
      resolve({ code, reason: String(reason) })
      changes.emit('change')
    })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.on('error', reject)
    socket.once('unexpected-response', async (_request, response) => {
      let text = ''
      for await (const chunk of response) text += String(chunk)
      reject(new Error(`${response.statusCode} ${text}`))
    })
  })
  const until = async <Found>(find: () => Found | undefined, what: string): Promise<Found> => {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      if (socket.readyState === WebSocket.CLOSED)
        throw new Error(
          `The connection was closed before ${what}: ${JSON.stringify({ text: text.slice(-500), controls, closed: await closed })}`,
        )
      await once(changes, 'change')
    }
  }
  return {
    socket,
    text: () => text,
    position: () => next,
    controls,
    type: (keys) => socket.send(Buffer.from(keys)),
    say: (control) => socket.send(JSON.stringify(control)),
    shows(pattern, after = 0) {
      let looked = after
      return until(
        () => {
          const found = pattern.exec(text.slice(Math.max(after, looked - 4_096)))
          looked = text.length
          return found ?? undefined
        },
        `it showed ${String(pattern)}`,
      )
    },
    hears: (type, fits = () => true) =>
      until(() => controls.find((control) => control.type === type && fits(control)), `it said “${type}”`),
    closed,
    async close() {
      socket.close()
      await closed
    },
  }
}
