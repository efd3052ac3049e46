import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A provider that goes on writing until its reader goes away. */
export interface EndlessUpstream {
  readonly url: string
  /** Resolves when the reader of a request has disconnected. */
  readonly readerGone: Promise<void>
  close(): Promise<void>
}

export async function startEndlessUpstream(): Promise<EndlessUpstream> {
  let gone: () => void = () => undefined
  const readerGone = new Promise<void>((resolve) => {
    gone = resolve
  })
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let count = 0
    const timer = setInterval(() => {
      count += 1
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: `word${count} ` } }] })}\n\n`)
    }, 20)
    response.on('close', () => {
      clearInterval(timer)
      gone()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    readerGone,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
