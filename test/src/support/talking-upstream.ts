import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request of the completions protocol, as far as tests look at it. */
export interface TalkRequest {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

/** What the model says, or the tools that it calls. */
export type TalkAnswer = { readonly text: string } | TalkCall | { readonly calls: readonly TalkCall[] }

export interface TalkCall {
  readonly tool: string
  readonly input: object
}

/** A model provider of the completions protocol that answers each request by what stands in it. */
export interface TalkingUpstream {
  readonly url: string
  readonly requests: readonly TalkRequest[]
  /** Resolves once so many answers were written to their end. */
  answered(times: number): Promise<void>
  close(): Promise<void>
}

/** An answer that never comes leaves its request open. The signal is aborted when its caller is gone. */
export async function startTalkingUpstream(
  answerTo: (request: TalkRequest, signal: AbortSignal) => TalkAnswer | Promise<TalkAnswer>,
): Promise<TalkingUpstream> {
  const requests: TalkRequest[] = []
  const waiting = new Set<() => void>()
  let answers = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as TalkRequest
    requests.push(asked)
    response.once('finish', () => {
      answers += 1
      for (const look of [...waiting]) look()
    })
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const said = await answerTo(asked, gone.signal)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(written(said))
  }
  const server = createServer((request, response) => {
    // A reader that was killed is not an error here.
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answered: (times) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (answers < times) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function written(answer: TalkAnswer): string {
  const event = (delta: object, finish_reason: string | null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  if ('text' in answer) return `${event({ content: answer.text }, null)}${event({}, 'stop')}data: [DONE]\n\n`
  const calls = ('calls' in answer ? answer.calls : [answer]).map(({ tool, input }, index) => ({
    ...{ index, id: `vendor-${index + 1}`, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } },
  }))
  return `${event({ tool_calls: calls }, null)}${event({}, 'tool_calls')}data: [DONE]\n\n`
}
