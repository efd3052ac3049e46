import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A provider that writes one text in pieces, halts in the middle until it is resumed, and always
 * begins again from the start.
 */
export interface HaltingUpstream {
  readonly url: string
  readonly text: string
  /** How often it was asked. */
  requests(): number
  /** From now on it does not halt; who waits gets the rest. */
  goOn(): void
  close(): Promise<void>
}

const pieces = Array.from({ length: 120 }, (_, index) => `${index} · ${'wörd 😀 '.repeat(index % 5)}\n`)
const halt = 40

export async function startHaltingUpstream(): Promise<HaltingUpstream> {
  let asked = 0
  let halting = true
  const waiting = new Set<() => void>()
  const write = (response: ServerResponse, from: number, to: number): void => {
    for (const content of pieces.slice(from, to))
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
  }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      asked += 1
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      write(response, 0, halt)
      const rest = (): void => {
        write(response, halt, pieces.length)
        response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
      }
      if (halting) waiting.add(rest)
      else rest()
      response.on('close', () => waiting.delete(rest))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    text: pieces.join(''),
    requests: () => asked,
    goOn() {
      halting = false
      for (const rest of [...waiting]) rest()
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
