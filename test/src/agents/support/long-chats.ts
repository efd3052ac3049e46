import { createRequire } from 'node:module'
import type { JsonObject } from '@agent-service/sdk'
import type { ModelEvent, ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import type { StreamedEvent } from '../../support/api.js'
import { endOf, type Person } from './agents-kernel.js'

/** A model of a small window whose tokenizer is known. */
export const smallWindow = { window: 4_000, reserve: 500 }

/** The configuration of {@link smallWindow}. */
export const smallWindowEnvironment = {
  SERVICE_MODELS__PRIMARY__MODEL: 'gpt-4o',
  SERVICE_MODELS__PRIMARY__CONTEXT_WINDOW: String(smallWindow.window),
  SERVICE_MODELS__PRIMARY__MAX_TOKENS: String(smallWindow.reserve),
}

/** Counts tokens as the vendor does. */
export function createVendorCount(): (text: string) => number {
  // The service's own tokenizer, found where the service finds it.
  const require = createRequire(new URL('../../../../plugins/feature-inference/package.json', import.meta.url))
  const { getEncoding } = require('js-tiktoken') as { getEncoding(name: string): { encode(text: string): readonly number[] } }
  const encoding = getEncoding('o200k_base')
  return (text) => encoding.encode(text).length
}

/** All text of a message. */
export const messageText = ({ content }: Pick<ModelMessage, 'content'>): string =>
  content
    .map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return part.text
      if (part.type === 'tool_call') return JSON.stringify(part.arguments)
      return part.type === 'tool_result' ? part.content.map((item) => (item.type === 'text' ? item.text : '')).join('\n') : ''
    })
    .join('\n')

/** All text of a request, the schemas of its tools too. */
export const requestText = ({ messages, tools }: ModelRequest): string =>
  [...messages.map(messageText), tools.length === 0 ? '' : JSON.stringify(tools)].join('\n')

/** Whether a request asks for a summary. */
export const asksForSummary = ({ messages }: ModelRequest): boolean =>
  messages[0]?.role === 'system' && messageText(messages[0]).startsWith('You write the summary')

/** The summary that a conversation begins with. */
export const summaryIn = ({ messages }: ModelRequest): string | undefined => {
  const first = messages[1]
  const text = first?.role === 'user' && first.content.length === 1 ? messageText(first) : ''
  return text.startsWith('[Summary of the conversation') ? text : undefined
}

/** Words that a tokenizer takes for about one token each, with a name that is found again. */
export const wordsOf = (name: string, count: number): string => `${name} ${'some more common words '.repeat(Math.ceil(count / 4)).trim()}`

/** A summary as the service answers it. */
export interface SeenSummary {
  readonly id: string
  readonly until: number
  readonly text: string
  readonly branch_id: string
  readonly task: string | null
  readonly tokens: number
  readonly tokens_before: number
  readonly run_id: string | null
  readonly undone_at: string | null
}

export const summariesOf = async (person: Person, chat: string): Promise<readonly SeenSummary[]> => {
  const { status, body } = await person.request('GET', `/api/chats/${chat}/summaries`)
  expect(status).to.equal(200)
  return body['items'] as readonly SeenSummary[]
}

/** A person's chat in which one message after the other is answered. */
export interface LongChat {
  readonly id: string
  readonly events: readonly StreamedEvent[]
  /** Posts and waits for the end of the run. */
  say(text: string): Promise<StreamedEvent>
  close(): void
}

/** A new one. */
export async function openLongChat(person: Person): Promise<LongChat> {
  const id = await person.newChat()
  const stream = await person.stream({ chatId: id })
  return {
    id,
    events: stream.events,
    say: async (text) => endOf(stream, await person.post(id, text)),
    close: () => stream.close(),
  }
}

/** An answer that calls one tool. */
export async function* callsWith(name: string, input: JsonObject): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
  const content = [{ type: 'tool_call' as const, call_id: 'vendor-0', name, arguments: input }]
  yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
}
