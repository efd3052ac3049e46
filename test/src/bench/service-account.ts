import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { signUp } from '../support/api.js'
import type { LeanHttp } from './lean-http.js'
import { lastWord } from './turns-words.js'

const turnMs = 60_000

/** A person with an open stream, who writes in one chat at a time. */
export interface ServiceAccount {
  readonly token: string
  newChat(): Promise<string>
  /**
   * Writes a message and resolves once the stream has said that its run is completed. @throws where
   * it went any other way, or called no tool.
   */
  turn(chatId: string, content: string): Promise<void>
  close(): void
}

interface Ended {
  readonly name: string
  readonly data: string
  readonly toolResults: number
  readonly answered: boolean
}

/** Signs a person up and opens the stream; waits for the sign-up limit. */
export async function openAccount(http: LeanHttp, url: string, username: string): Promise<ServiceAccount> {
  const { token } = await signUpInTurn(url, username)
  const stream = await http.open('GET', `${url}/api/events`, { token })
  if (stream.statusCode !== 200) throw new Error(`The stream answered ${stream.statusCode}.`)
  const ends = watchEnds(stream)
  const post = async (path: string, body: unknown, expected: number): Promise<Record<string, unknown>> => {
    const { status, text } = await http.send('POST', `${url}${path}`, { token, body })
    if (status !== expected) throw new Error(`${path} answered ${status}: ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  return {
    token,
    newChat: async () => String((await post('/api/chats', {}, 201))['id']),
    async turn(chatId, content) {
      const end = ends.next()
      end.catch(() => undefined)
      const { id } = (await post(`/api/chats/${chatId}/messages`, { content }, 202))['run'] as { readonly id: string }
      const { name, data, toolResults, answered } = await end
      if (name !== 'run.completed' || !data.includes(id) || toolResults === 0 || !answered)
        throw new Error(`A turn of the run ${id} ended with ${name} after ${toolResults} tool results: ${data}`)
    },
    close: () => void stream.destroy(),
  }
}

async function signUpInTurn(url: string, username: string): Promise<{ readonly token: string }> {
  for (;;) {
    try {
      return await signUp(url, username)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('429')) throw error
      await delay(250)
    }
  }
}

/** Reads a stream of server-sent events no further than it takes to see how each run ends. */
function watchEnds(stream: IncomingMessage): { next(): Promise<Ended> } {
  let rest = ''
  let toolResults = 0
  let answered = false
  let settle: { readonly resolve: (ended: Ended) => void; readonly reject: (error: Error) => void } | undefined
  const take = (block: string): void => {
    const name = /^event: (.+)$/m.exec(block)?.[1] ?? ''
    if (name === 'tool_call.finished') toolResults += 1
    if (name === 'message.updated' && block.includes(lastWord)) answered = true
    if (name !== 'run.completed' && name !== 'run.failed' && name !== 'run.cancelled') return
    settle?.resolve({ name, data: block, toolResults, answered })
    settle = undefined
  }
  stream.on('data', (piece: string) => {
    rest += piece
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      take(rest.slice(0, end))
      rest = rest.slice(end + 2)
    }
  })
  stream.on('close', () => settle?.reject(new Error('The stream ended.')))
  stream.on('error', (error) => settle?.reject(error))
  return {
    next: () =>
      new Promise<Ended>((resolve, reject) => {
        toolResults = 0
        answered = false
        const timer = setTimeout(() => reject(new Error('No run ended in time.')), turnMs)
        settle = {
          resolve: (ended) => {
            clearTimeout(timer)
            resolve(ended)
          },
          reject: (error) => {
            clearTimeout(timer)
            reject(error)
          },
        }
      }),
  }
}
