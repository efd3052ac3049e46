import { type AgentsKernel, endOf, type Person, type SeenMessage, textOf } from '../agents/support/agents-kernel.js'
import type { Script } from '../agents/support/scripted-plugin.js'
import type { EventStream } from '../support/api.js'

/** A message as lists give it. */
export interface ListedMessage extends SeenMessage {
  readonly branch_id: string
  readonly run_id: string
  readonly sequence: number
  readonly alternatives?: readonly { readonly branch_id: string; readonly number: number }[]
}

export interface ListedBranch {
  readonly id: string
  readonly number: number
  readonly fork: { readonly branch_id: string; readonly sequence: number } | null
  readonly message_count: number
  readonly current: boolean
  readonly first_line: string | null
}

type Answer = Awaited<ReturnType<Person['request']>>

/** Somebody with a chat who waits for the end of every run. */
export interface Writer {
  readonly person: Person
  readonly stream: EventStream
  /** Resolves with the name of the event that ended the run. */
  write(chatId: string, content: string, replaces?: string): Promise<string>
  regenerate(chatId: string, messageId?: string): Promise<string>
  change(chatId: string, change: Record<string, unknown>): Promise<Answer>
  /** All messages of the branch that is shown, or of another. */
  list(chatId: string, branchId?: string): Promise<readonly ListedMessage[]>
  branches(chatId: string): Promise<readonly ListedBranch[]>
}

export async function writerOf(agents: AgentsKernel, username: string): Promise<Writer> {
  const person = await agents.person(username)
  const stream = await person.stream()
  const ended = async (answer: Answer): Promise<string> => {
    if (answer.status !== 202) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
    return (await endOf(stream, (answer.body['run'] as { readonly id: string }).id)).name
  }
  return {
    person,
    stream,
    write: async (chatId, content, replaces) =>
      ended(await person.request('POST', `/api/chats/${chatId}/messages`, { content, ...(replaces ? { replaces } : {}) })),
    regenerate: async (chatId, messageId) =>
      ended(await person.request('POST', `/api/chats/${chatId}/regenerate`, messageId ? { message_id: messageId } : {})),
    change: (chatId, change) => person.request('PATCH', `/api/chats/${chatId}`, change),
    async list(chatId, branchId) {
      const found: ListedMessage[] = []
      let cursor: unknown = '0'
      while (cursor !== null) {
        const query = `limit=200&cursor=${String(cursor)}${branchId ? `&branch_id=${branchId}` : ''}`
        const { status, body } = await person.request('GET', `/api/chats/${chatId}/messages?${query}`)
        if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
        found.push(...(body['items'] as readonly ListedMessage[]))
        cursor = body['next_cursor']
      }
      return found
    },
    branches: async (chatId) =>
      (await person.request('GET', `/api/chats/${chatId}/branches?limit=200`)).body['items'] as readonly ListedBranch[],
  }
}

/**
 * What a model was shown in one call: what people and agents said, without the time behind each
 * message of a person.
 */
export const shownIn = (request: Script['requests'][number] | undefined): readonly string[] =>
  (request?.messages ?? []).flatMap((message) => {
    if (message.role !== 'user' && message.role !== 'assistant') return []
    const parts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    return (message.role === 'user' ? parts.slice(0, -1) : parts).filter((text) => text !== '')
  })

export const textsOf = (messages: readonly SeenMessage[]): readonly string[] => messages.map(textOf).filter((text) => text !== '')
