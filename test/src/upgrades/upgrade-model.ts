import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A model that does what the newest message of the person says: `wait` begins an answer and goes no
 * further, `ask` calls `ask_user`, `delegate` hands the task `wait` to the agent `helper`; anything
 * else is repeated. What a tool answered is repeated too.
 */
export interface UpgradeModel {
  readonly url: string
  /** How many answers it has begun and keeps open. */
  waiting(): number
  /** From now on `wait` is answered at once. */
  hurry(): void
  close(): Promise<void>
}

interface WireMessage {
  readonly role: string
  readonly content?: string | readonly { readonly text?: string }[] | null
}

export async function startUpgradeModel(): Promise<UpgradeModel> {
  const waiting = new Set<ServerResponse>()
  let hurried = false

  const answer = (messages: readonly WireMessage[], response: ServerResponse): void => {
    const asked = textOf(messages.findLast(({ role }) => role === 'user'))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (messages.at(-1)?.role === 'tool') say(response, `The tool answered: ${textOf(messages.at(-1)).slice(0, 100)}`)
    else if (asked.includes('delegate')) call(response, 'delegate', { agent: 'helper', task: 'wait' })
    else if (asked.includes('ask')) call(response, 'ask_user', { question: 'Which colour?', options: ['red', 'blue'] })
    else if (asked.includes('wait') && !hurried) wait(response)
    else say(response, `You said: ${asked.slice(0, 100)}`)
  }

  const wait = (response: ServerResponse): void => {
    response.write(chunk({ delta: { content: 'One moment, ' } }))
    waiting.add(response)
    response.once('close', () => waiting.delete(response))
  }

  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    bodyOf(request).then(
      (body) => answer((JSON.parse(body) as { readonly messages: readonly WireMessage[] }).messages, response),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    waiting: () => waiting.size,
    hurry: () => {
      hurried = true
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const chunk = (choice: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`

function end(response: ServerResponse, reason: 'stop' | 'tool_calls'): void {
  const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 10 } })}\n\n`
  response.end(`${chunk({ delta: {}, finish_reason: reason })}${usage}data: [DONE]\n\n`)
}

function say(response: ServerResponse, text: string): void {
  response.write(chunk({ delta: { content: text } }))
  end(response, 'stop')
}

function call(response: ServerResponse, name: string, input: object): void {
  const made = { index: 0, id: `call_${name}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }
  response.write(chunk({ delta: { tool_calls: [made] } }))
  end(response, 'tool_calls')
}

const textOf = (message: WireMessage | undefined): string => {
  const content = message?.content ?? ''
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece as string
  return text
}
