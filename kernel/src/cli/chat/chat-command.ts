import { createInterface } from 'node:readline'
import type { JsonObject } from '@agent-service/sdk'
import { type ApiClient, createApiClient } from '../api-client.js'
import { notInteractiveError } from '../errors.js'
import { exitStatus } from '../exit-status.js'
import { signIn } from '../sign-in.js'
import type { Terminal } from '../terminal.js'
import { createConversationView } from './conversation-view.js'
import { followRun, openEventFeed } from './follow-run.js'

export interface ChatOptions {
  readonly url: string
  readonly username?: string
  readonly agent?: string
  readonly chat?: string
  /** One message, then the end: for scripts. */
  readonly message?: string
}

/**
 * A conversation on the terminal. Ctrl-C stops the answer that is being written, and ends the program only at the prompt; Ctrl-D or `/exit` ends it
 * too.
 */
export async function chatCommand(
  terminal: Terminal,
  environment: Readonly<Record<string, string | undefined>>,
  options: ChatOptions,
): Promise<number> {
  const client = createApiClient(options.url)
  await client.request('GET', '/api/version')
  if (options.message === undefined && !terminal.interactive && !process.stdin.readable) {
    throw notInteractiveError.create({ question: 'What do you want to say?', instead: 'Pass the message with --message.' })
  }
  const username = await signIn(client, terminal, environment, {
    mayRegister: true,
    ...(options.username === undefined ? {} : { username: options.username }),
  })
  const chat = await openChat(client, options)
  terminal.line(
    terminal.style(
      'dim',
      `Signed in as ${username}, talking to ${chat.agent}. Ctrl-C stops an answer; Ctrl-D or /exit ends the conversation.`,
    ),
  )
  const feed = openEventFeed(client, chat.id)
  let running: string | undefined

  const say = async (content: string): Promise<void> => {
    const answer = (await client.request('POST', `/api/chats/${chat.id}/messages`, { content })) as JsonObject
    const runId = String((answer['run'] as JsonObject)['id'])
    running = runId
    try {
      await followRun(client, feed, createConversationView(terminal, runId), { id: runId, chatId: chat.id })
    } finally {
      running = undefined
    }
  }
  /** Stops the answer that is being written. False when none is. */
  const stopAnswer = (): boolean => {
    if (running === undefined) return false
    client
      .request('POST', `/api/runs/${running}/cancel`)
      .catch((error: unknown) =>
        terminal.problem(`The answer could not be stopped: ${error instanceof Error ? error.message : String(error)}`),
      )
    return true
  }

  try {
    if (options.message !== undefined) {
      const onInterrupt = (): void => void stopAnswer()
      process.on('SIGINT', onInterrupt)
      try {
        await say(options.message)
      } finally {
        process.off('SIGINT', onInterrupt)
      }
      return exitStatus.done
    }
    await converse(terminal, say, stopAnswer)
    return exitStatus.done
  } finally {
    feed.close()
  }
}

/** Reads lines and says them, one after the other, until the input ends. */
async function converse(terminal: Terminal, say: (content: string) => Promise<void>, stopAnswer: () => boolean): Promise<void> {
  const reader = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: terminal.style('bold', 'you> '),
    terminal: terminal.interactive,
  })
  const interrupt = (): void => {
    if (stopAnswer()) return
    terminal.line('')
    reader.close()
  }
  reader.on('SIGINT', interrupt)
  process.on('SIGINT', interrupt)
  try {
    reader.prompt()
    for await (const line of reader) {
      const content = line.trim()
      if (content === '/exit') break
      if (content !== '') {
        try {
          await say(content)
        } catch (error) {
          terminal.problem(error instanceof Error ? error.message : String(error))
        }
      }
      reader.prompt()
    }
  } finally {
    process.off('SIGINT', interrupt)
    reader.close()
  }
}

async function openChat(client: ApiClient, options: ChatOptions): Promise<{ readonly id: string; readonly agent: string }> {
  const agents = ((await client.request('GET', '/api/agents?limit=200')) as JsonObject)['items'] as readonly JsonObject[]
  if (options.chat !== undefined) {
    const chat = (await client.request('GET', `/api/chats/${encodeURIComponent(options.chat)}`)) as JsonObject
    return { id: String(chat['id']), agent: nameOf(agents.find((agent) => agent['id'] === chat['agent_id'])) }
  }
  const agent = options.agent === undefined ? undefined : agents.find((candidate) => candidate['handle'] === options.agent)
  if (options.agent !== undefined && !agent) {
    throw new Error(
      `You have no agent “${options.agent}”. Yours are: ${agents.map((candidate) => String(candidate['handle'])).join(', ')}.`,
    )
  }
  const chat = (await client.request('POST', '/api/chats', agent ? { agent_id: String(agent['id']) } : {})) as JsonObject
  return { id: String(chat['id']), agent: nameOf(agents.find((candidate) => candidate['id'] === chat['agent_id'])) }
}

const nameOf = (agent: JsonObject | undefined): string => String(agent?.['name'] ?? 'the agent')
