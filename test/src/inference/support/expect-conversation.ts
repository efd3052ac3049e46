import { expect } from 'chai'
import type { SeenMessage } from '../../agents/support/agents-kernel.js'
import { createClientView } from '../../agents/support/client-view.js'
import type { Conversation } from './matrix-kernel.js'

/** Names of a conversation's events of one kind. */
export const eventsOf = ({ events }: Conversation, name: string): readonly Readonly<Record<string, unknown>>[] =>
  events.filter((event) => event.name === name).map(({ data }) => data)

/** The stored messages of the assistant. */
export const answersOf = ({ messages }: Conversation): readonly SeenMessage[] =>
  (messages as unknown as readonly SeenMessage[]).filter(({ role }) => role === 'assistant')

const textOf = ({ content }: SeenMessage): string => content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('')

/**
 * Checks the stored messages and the client's final screen against one text: nothing is missing or
 * doubled.
 */
export function expectTexts(conversation: Conversation, texts: readonly string[]): void {
  const answers = answersOf(conversation)
  expect(answers.map(textOf), 'stored').to.deep.equal(texts)
  const view = createClientView()
  conversation.events.forEach(view.apply)
  expect(
    answers.map(({ id }) => view.text(id)),
    'on the screen',
  ).to.deep.equal(texts)
}

/** The text of all answers on the client's screen when the first attempt was withdrawn. */
export function shownBeforeItWasTakenBack(conversation: Conversation): string {
  const view = createClientView()
  for (const event of conversation.events) {
    if (event.name === 'run.retrying' || event.name === 'run.fallback') break
    view.apply(event)
  }
  return answersOf(conversation)
    .map(({ id }) => view.text(id))
    .join('')
}
