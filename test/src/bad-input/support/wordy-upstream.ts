import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A provider whose every answer is one long text, in many pieces, as fast as it is read. */
export interface WordyUpstream {
  readonly url: string
  /** The text of every answer. */
  readonly text: string
  close(): Promise<void>
}

export async function startWordyUpstream(options: { readonly pieces: number; readonly pieceLength: number }): Promise<WordyUpstream> {
  const piece = (index: number): string => `${index}:`.padEnd(options.pieceLength, 'abcdefgh ')
  const pieces = Array.from({ length: options.pieces }, (_, index) => piece(index))
  const chunks = [
    ...pieces.map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`),
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  ]
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      let next = 0
      const write = (): void => {
        while (next < chunks.length && !response.destroyed) {
          next += 1
          if (!response.write(chunks[next - 1])) {
            response.once('drain', write)
            return
          }
        }
        response.end()
      }
      write()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    text: pieces.join(''),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
