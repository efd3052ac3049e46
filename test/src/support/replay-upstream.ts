import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Random } from './random.js'
import type { Recording } from './recordings.js'
import { asksForTitle } from './title-requests.js'

/**
 * A model provider that answers with recordings, byte by byte as they came, at random chunk
 * borders.
 */
export interface ReplayUpstream {
  readonly url: string
  /** The bodies of the requests so far, parsed, but for those that ask for titles. */
  readonly requests: readonly unknown[]
  /** What the next requests are answered with, in this order. */
  answerWith(...recordings: readonly Recording[]): void
  close(): Promise<void>
}

const title = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'A title' }, finish_reason: 'stop' }] })

export async function startReplayUpstream(random: Random): Promise<ReplayUpstream> {
  const answers: Recording[] = []
  const requests: unknown[] = []
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { readonly messages?: readonly unknown[] }
    if (asksForTitle(body.messages ?? [])) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(title)
      return
    }
    requests.push(body)
    const recording = answers.shift()
    if (!recording) {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"no recording is left"}}')
      return
    }
    response.writeHead(recording.status, { 'content-type': recording.contentType })
    let at = 0
    while (at < recording.body.length) {
      const end = Math.min(recording.body.length, at + random.between(1, random.next() < 0.2 ? 3 : 400))
      response.write(recording.body.subarray(at, end))
      at = end
      // Each piece is a chunk of its own on the wire.
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (recording.truncated) response.destroy()
    else response.end()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answerWith: (...recordings) => void answers.splice(0, answers.length, ...recordings),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
