import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asksForTitle } from '../../support/title-requests.js'

/** One message of a request, as it is on the wire. */
export interface WireMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[]
}

export interface WireRequest {
  readonly messages: readonly WireMessage[]
  readonly tools?: readonly object[]
}

/** A model that answers as a test says, byte by byte. */
export interface MisbehavingUpstream {
  readonly url: string
  readonly requests: readonly WireRequest[]
  /** What follows is answered so; the requests so far are forgotten. */
  behave(answer: (request: WireRequest, number: number) => readonly (string | Uint8Array)[]): void
  close(): Promise<void>
}

const line = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const end = 'data: [DONE]\n\n'

/** A whole text. */
export const text = (content: string): readonly string[] => [line({ content }), line({}, 'stop'), end]

/** Reasoning and nothing else. */
export const reasoning = (words: string, finish = 'stop'): readonly string[] => [line({ reasoning_content: words }), line({}, finish), end]

/** Calls of tools, each with the text of its arguments, in pieces of 64 KiB. */
export const toolCalls = (...calls: readonly { readonly name: string; readonly arguments: string }[]): readonly string[] => [
  ...calls.flatMap((call, index) => {
    const pieces = [
      line({ tool_calls: [{ index, id: `vendor-${index}`, type: 'function', function: { name: call.name, arguments: '' } }] }),
    ]
    for (let at = 0; at < call.arguments.length; at += 65_536) {
      pieces.push(line({ tool_calls: [{ index, function: { arguments: call.arguments.slice(at, at + 65_536) } }] }))
    }
    return pieces
  }),
  line({}, 'tool_calls'),
  end,
]

/** Resolves when the response takes more, or nobody reads it any more. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })

export async function startMisbehavingUpstream(): Promise<MisbehavingUpstream> {
  let answer: (request: WireRequest, number: number) => readonly (string | Uint8Array)[] = () => text('Hello.')
  let requests: WireRequest[] = []
  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk as string
      const asked = JSON.parse(body) as WireRequest
      const isTitle = asksForTitle(asked.messages)
      if (!isTitle) requests.push(asked)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const piece of isTitle ? text('A title') : answer(asked, requests.length)) {
        if (response.destroyed) return
        if (!response.write(piece)) await drained(response)
      }
      response.end()
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get requests() {
      return requests
    },
    behave(next) {
      answer = next
      requests = []
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
