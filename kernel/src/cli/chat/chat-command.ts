import { createInterface } from 'node:readline'
import type { JsonObject } from '@agent-service/sdk'
import { type ApiClient, createApiClient } from '../api-client.js'
import { notInteractiveError } from '../errors.js'
import { exitStatus } from '../exit-status.js'
import { signIn } from '../sign-in.js'
import type { Terminal } from '../terminal.js'
import { createQuestionDesk, waitingForPersonError } from './answer-questions.js'
import { createConversationView } from './conversation-view.js'
import { followRun, openEventFeed, openQuestions } from './follow-run.js'
import { createLineSource, type LineSource } from './line-source.js'

export interface ChatOptions {
  readonly url: string
  readonly username?: string
  readonly agent?: string
  readonly chat?: string
  /** One message, then the end: for scripts. */
  readonly message?: string
}

/**
 * A conversation on the terminal; what the agent asks is asked there too. Ctrl-C stops the answer that is being written, and ends the program only at the prompt; Ctrl-D or `/exit` ends it
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
  const reader =
    options.message === undefined || terminal.interactive
      ? createInterface({ input: process.stdin, output: process.stdout, terminal: terminal.interactive })
      : undefined
  const lines = reader && createLineSource(reader, terminal)
  let running: string | undefined

  const follow = async (runId: string, asked: readonly JsonObject[] = []): Promise<void> => {
    running = runId
    const desk = createQuestionDesk({ client, terminal, lines })
    for (const question of asked) desk.ask(question)
    try {
      await followRun(client, feed, createConversationView(terminal, runId), desk, { id: runId, chatId: chat.id })
    } finally {
      running = undefined
    }
  }
  const say = async (content: string): Promise<void> => {
    const answer = (await client.request('POST', `/api/chats/${chat.id}/messages`, { content })) as JsonObject
    await follow(String((answer['run'] as JsonObject)['id']))
  }
  /** An earlier chat may wait for an answer. */
  const goOn = async (): Promise<void> => {
    const asked = options.chat === undefined ? [] : await openQuestions(client, chat.id)
    const runId = asked[0]?.['run_id']
    if (runId !== undefined)
      await follow(
        String(runId),
        asked.filter((question) => question['run_id'] === runId),
      )
  }
  const interrupt = (): void => {
    if (running === undefined) {
      if (options.message === undefined) terminal.line('')
      reader?.close()
      return
    }
    client
      .request('POST', `/api/runs/${running}/cancel`)
      .catch((error: unknown) =>
        terminal.problem(`The answer could not be stopped: ${error instanceof Error ? error.message : String(error)}`),
      )
  }

  process.on('SIGINT', interrupt)
  reader?.on('SIGINT', interrupt)
  try {
    if (options.message !== undefined) await say(options.message)
    else if (lines) await converse(terminal, lines, { say, goOn })
    return exitStatus.done
  } finally {
    process.off('SIGINT', interrupt)
    reader?.close()
    feed.close()
  }
}

/** Reads lines and says them, one after the other, until the input ends. */
async function converse(
  terminal: Terminal,
  lines: LineSource,
  conversation: { readonly say: (content: string) => Promise<void>; readonly goOn: () => Promise<void> },
): Promise<void> {
  const orTell = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (error) {
      if (waitingForPersonError.isInstance(error)) throw error
      terminal.problem(error instanceof Error ? error.message : String(error))
    }
  }
  await orTell(conversation.goOn())
  for (;;) {
    const content = (await lines.next(terminal.style('bold', 'you> ')))?.trim()
    if (content === undefined || content === '/exit') return
    if (content !== '') await orTell(conversation.say(content))
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
