import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { evilExpressions } from './evil.js'

/**
 * The model of all accounts: it calls a tool with an evil expression when asked to search,
 * otherwise it answers a few words.
 */
export interface WorstModel {
  readonly url: string
  close(): Promise<void>
}

const words = 8
const everyMs = 5

interface Asked {
  readonly messages?: readonly { readonly role: string; readonly content?: unknown }[]
}

/** Starts it on a free port. */
export async function startWorstModel(): Promise<WorstModel> {
  let searches = 0
  const answer = async (asked: Asked, response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const last = asked.messages?.at(-1)
    if (last?.role === 'user' && JSON.stringify(last.content).includes('Search')) {
      searches += 1
      const query = evilExpressions[searches % evilExpressions.length]
      const call = { name: 'search_files', arguments: JSON.stringify({ query, regular_expression: true }) }
      const calls = [{ index: 0, id: `call-${searches}`, type: 'function', function: call }]
      response.end(`${event({ delta: { tool_calls: calls } })}${event({ delta: {}, finish_reason: 'tool_calls' })}data: [DONE]\n\n`)
      return
    }
    for (let word = 0; word < words && !response.destroyed; word += 1) {
      response.write(event({ delta: { content: 'word ' } }))
      await setTimeout(everyMs)
    }
    response.end(`${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    response.on('error', () => undefined)
    request.on('error', () => undefined)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      answer(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Asked, response).catch(() => response.destroy())
    })
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

const event = (content: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...content }] })}\n\n`
