import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ScriptedAnswer, saying } from '../../support/scripted-http-upstream.js'
import { asksForTitle } from '../../support/title-requests.js'

/** A message as it goes to a vendor. */
export interface WireMessage {
  readonly role: string
  readonly content: string | readonly Readonly<Record<string, unknown>>[]
}

/** What a vendor is sent. */
export interface WireRequest {
  readonly messages: readonly WireMessage[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

/** A model provider that keeps what it is sent. */
export interface KeepingUpstream {
  readonly url: string
  /** Every request so far, but for titles. */
  readonly sent: readonly WireRequest[]
  /**
   * What the next requests are answered with, in this order. Further ones are answered with “Done.”
   */
  script(...answers: readonly ScriptedAnswer[]): void
  close(): Promise<void>
}

/** A whole answer that asks for one tool. */
export const calling =
  (name: string, input: object): ScriptedAnswer =>
  (response) => {
    const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } }
    const event = (choice: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${event({ delta: { tool_calls: [call] } })}${event({ delta: {}, finish_reason: 'tool_calls' })}data: [DONE]\n\n`)
  }

export async function startKeepingUpstream(): Promise<KeepingUpstream> {
  const sent: WireRequest[] = []
  let answers: ScriptedAnswer[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as WireRequest
      if (asksForTitle(asked.messages)) return saying('')(response)
      sent.push(asked)
      const answer = answers.shift() ?? saying('Done.')
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    sent,
    script(...next) {
      answers = [...next]
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
