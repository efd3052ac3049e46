import { WebSocket } from 'ws'

/** How a connection ended. */
export interface ClosedSocket {
  readonly code: number
  readonly reason: string
}

/** The client's side of an open WebSocket. */
export interface OpenSocket {
  readonly socket: WebSocket
  /** The next message as text, in order; rejects if the connection ended before. */
  next(): Promise<string>
  readonly closed: Promise<ClosedSocket>
}

/** A handshake that was not answered with 101. */
export interface RefusedSocket {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly problem: Readonly<Record<string, unknown>>
}

/** Connects and waits until the connection is open. @throws if it is refused */
export async function openWebSocket(
  url: string,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly protocols?: readonly string[] } = {},
): Promise<OpenSocket> {
  const outcome = await handshake(url, options)
  if ('status' in outcome) throw new Error(`The handshake was answered with ${outcome.status}: ${JSON.stringify(outcome.problem)}`)
  return outcome
}

/** Connects and expects a refusal. @throws if the connection opens */
export async function refusedWebSocket(url: string, headers: Readonly<Record<string, string>> = {}): Promise<RefusedSocket> {
  const outcome = await handshake(url, { headers })
  if ('status' in outcome) return outcome
  outcome.socket.terminate()
  throw new Error('The connection was opened.')
}

function handshake(
  url: string,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly protocols?: readonly string[] },
): Promise<OpenSocket | RefusedSocket> {
  const socket = new WebSocket(url, [...(options.protocols ?? [])], { headers: { ...options.headers } })
  const received: string[] = []
  const readers: { resolve(text: string): void; reject(error: Error): void }[] = []
  let over = false
  socket.on('message', (data) => {
    const text = String(data)
    const reader = readers.shift()
    if (reader) reader.resolve(text)
    else received.push(text)
  })
  const closed = new Promise<ClosedSocket>((resolve) => {
    socket.once('close', (code, reason) => {
      over = true
      for (const { reject } of readers.splice(0)) reject(new Error(`The connection ended with ${code} ${String(reason)}.`))
      resolve({ code, reason: String(reason) })
    })
  })
  const next = (): Promise<string> => {
    const text = received.shift()
    if (text !== undefined) return Promise.resolve(text)
    if (over) return Promise.reject(new Error('The connection has ended.'))
    return new Promise((resolve, reject) => readers.push({ resolve, reject }))
  }
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.once('open', () => resolve({ socket, next, closed }))
    socket.once('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () => {
        const problem = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, problem })
      })
    })
  })
}
