import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asksForTitle } from './title-requests.js'

/** Answers one request of a scripted provider. */
export type ScriptedAnswer = (response: ServerResponse) => void

/** A model provider that answers its requests with what a test scripts, one after the other. */
export interface ScriptedHttpUpstream {
  readonly url: string
  /** The requests that came since the last script, but for titles. */
  readonly requests: readonly IncomingMessage[]
  /**
   * What the next requests are answered with, in this order. A further one is answered with 500.
   */
  script(...answers: readonly ScriptedAnswer[]): void
  close(): Promise<void>
}

const event = (content: object): string => `data: ${JSON.stringify(content)}\n\n`
const delta = (content: string): string => event({ choices: [{ index: 0, delta: { content } }] })
const head = { 'content-type': 'text/event-stream' }

/** A whole answer. */
export const saying =
  (text: string): ScriptedAnswer =>
  (response) =>
    void response
      .writeHead(200, head)
      .end(`${delta(text)}${event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`)

/**
 * The beginning of an answer that never continues; without text only its head. `onClose` is called
 * when the reader has disconnected.
 */
export const stalling =
  (text: string | undefined, onClose: () => void): ScriptedAnswer =>
  (response) => {
    response.once('close', onClose)
    response.writeHead(200, head).flushHeaders()
    if (text !== undefined) response.write(delta(text))
  }

/** An error in the vendor's words. */
export const refusing =
  (status: number, error: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): ScriptedAnswer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }))

export async function startScriptedHttpUpstream(): Promise<ScriptedHttpUpstream> {
  let answers: ScriptedAnswer[] = []
  let requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (asksForTitle([Buffer.concat(chunks).toString('utf8')])) return saying('')(response)
      requests.push(request)
      const answer = answers.shift() ?? refusing(500, { message: 'nothing is scripted' })
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get requests() {
      return requests
    },
    script(...next) {
      answers = [...next]
      requests = []
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
