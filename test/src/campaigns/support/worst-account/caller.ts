import { Agent, type IncomingMessage, request as send } from 'node:http'

/** What a request may carry. */
export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** An answer, read to its end. */
export interface CallAnswer {
  readonly status: number
  readonly text: string
}

/** Calls the service from one address, as a proxy in front of it would report it. */
export interface Caller {
  readonly url: URL
  /** What goes with every request. */
  readonly headers: Readonly<Record<string, string>>
  call(method: string, path: string, options?: CallOptions): Promise<CallAnswer>
  close(): void
}

const limitMs = 30_000

/** Makes one. Its connections are kept open and used again. */
export function createCaller(url: string, { address, token }: { readonly address: string; readonly token?: string }): Caller {
  const target = new URL(url)
  const agent = new Agent({ keepAlive: true })
  const headers = { 'x-forwarded-for': address, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  return {
    url: target,
    headers,
    call(method, path, { body, headers: more, signal } = {}) {
      const content = body === undefined || Buffer.isBuffer(body) ? (body as Buffer | undefined) : Buffer.from(JSON.stringify(body))
      const limit = AbortSignal.timeout(limitMs)
      return new Promise((resolve, reject) => {
        const request = send(
          {
            ...{ agent, method, path, host: target.hostname, port: target.port, signal: signal ? AbortSignal.any([signal, limit]) : limit },
            headers: {
              ...headers,
              ...(content === undefined ? {} : { 'content-type': 'application/json', 'content-length': content.byteLength }),
              ...more,
            },
          },
          (answer) => {
            read(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject)
          },
        )
        request.on('error', reject)
        request.end(content)
      })
    },
    close: () => agent.destroy(),
  }
}

async function read(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
