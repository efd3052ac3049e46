import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** A model whose every word is the moment at which it was said. */
export interface TimedModel {
  readonly url: string
  close(): Promise<void>
}

/** Says a word each `everyMs`, `words` of them. */
export async function startTimedModel({ everyMs, words }: { readonly everyMs: number; readonly words: number }): Promise<TimedModel> {
  const answer = async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const begin = performance.now()
    for (let word = 0; word < words && !response.destroyed; word += 1) {
      response.write(event({ delta: { content: `<${performance.now().toFixed(1)}>` } }))
      await setTimeout(Math.max(0, begin + (word + 1) * everyMs - performance.now()))
    }
    response.end(`${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    request.on('error', () => undefined)
    request.resume().on('end', () => void answer(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** The moments in a piece of such a text. */
export const momentsIn = (text: string): readonly number[] => [...text.matchAll(/<(\d+\.\d)>/g)].map(([, moment]) => Number(moment))

const event = (content: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...content }] })}\n\n`
