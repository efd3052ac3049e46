import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'

/** How long nothing may come, in milliseconds; an event stream says something every 15 seconds. */
const silenceMs = 60_000

/**
 * Requests that cost the measuring process as little as may be. They fail when nothing comes for a
 * minute.
 */
export interface LeanHttp {
  /** Resolves once the headers are there; the body is text, and still unread. */
  open(method: string, url: string, options: { readonly token?: string; readonly body?: unknown }): Promise<IncomingMessage>
  /** The same, with the whole answer. */
  send(
    method: string,
    url: string,
    options: { readonly token?: string; readonly body?: unknown },
  ): Promise<{ readonly status: number; readonly text: string }>
  close(): void
}

export function createLeanHttp(): LeanHttp {
  const agent = new Agent({ keepAlive: true })
  const open: LeanHttp['open'] = async (method, url, { token, body }) => {
    const content = body === undefined ? undefined : JSON.stringify(body)
    const asked: ClientRequest = request(url, {
      agent,
      method,
      timeout: silenceMs,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(content !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
      },
    })
    asked.on('timeout', () => asked.destroy(new Error(`Nothing came from ${url} for ${silenceMs} ms.`)))
    asked.end(content)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    // A connection that breaks from here on is reported by the answer.
    asked.on('error', (error) => answer.destroy(error))
    answer.on('error', () => undefined)
    return answer.setEncoding('utf8')
  }
  return {
    open,
    async send(method, url, options) {
      const answer = await open(method, url, options)
      return { status: answer.statusCode ?? 0, text: await wholeTextOf(answer) }
    },
    close: () => agent.destroy(),
  }
}

function wholeTextOf(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    answer.on('data', (piece: string) => {
      text += piece
    })
    answer.once('end', () => resolve(text))
    answer.once('error', reject)
    answer.once('aborted', () => reject(new Error('The answer broke off.')))
  })
}
