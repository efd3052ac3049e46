import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A model provider of the completions protocol that begins an answer and hangs, until it is asked
 * to finish: “The whole answer.”
 */
export interface HangingUpstream {
  readonly url: string
  /** How often it was asked. */
  asked(): number
  /** Resolves once it was asked so often. */
  askedTimes(times: number): Promise<void>
  /** From now on it answers to the end: seven tokens in, two out. */
  answer(): void
  close(): Promise<void>
}

export async function startHangingUpstream(): Promise<HangingUpstream> {
  let answering = false
  let asked = 0
  const waiting = new Set<() => void>()
  const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
  const words = (content: string): string => event({ choices: [{ index: 0, delta: { content } }] })
  const answer = (response: ServerResponse): void => {
    asked += 1
    for (const look of [...waiting]) look()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(words(answering ? 'The whole ' : 'A beginning that does not count'))
    if (!answering) return
    response.write(words('answer.'))
    response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
    response.end(`${event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } })}data: [DONE]\n\n`)
  }
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => asked,
    askedTimes: (times) =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          if (asked < times) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    answer() {
      answering = true
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
