import type { JsonObject } from '@agent-service/sdk'
import type { FilePart, ImagePart, ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'

/** The answer to a call that was made since the person wrote last. */
export interface CallResult {
  readonly tool: string
  readonly text: string
  readonly failed: boolean
  /** The person was asked and said no, or said nothing in time. */
  readonly refused: boolean
}

/** What a scripted model does next: it says something, and may call a tool. */
export interface ScriptedAnswer {
  readonly text: string
  readonly call?: { readonly id: string; readonly name: string; readonly arguments: JsonObject }
}

/**
 * The service ends a person's message with a line that says when it was written, which is not part
 * of their text.
 */
const timeOfMessage = /^\[\w+ (\d{4}-\d{2}-\d{2}), \d{2}:\d{2}, \S+ \(UTC[+-][\d:]+\)\]$/

type PersonMessage = Extract<ModelMessage, { role: 'user' }>

const personMessages = ({ messages }: ModelRequest): readonly PersonMessage[] =>
  messages.filter((message): message is PersonMessage => message.role === 'user')

const textsOf = (message: PersonMessage | undefined): readonly string[] =>
  (message?.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []))

/** What the person wrote last. */
export function writtenIn(request: ModelRequest): string {
  const texts = textsOf(personMessages(request).at(-1))
  return (timeOfMessage.test(texts.at(-1) ?? '') && texts.length > 1 ? texts.slice(0, -1) : texts).join(' ')
}

/** The day on which the last message was written, as `2026-01-31`. */
export function dayOf(request: ModelRequest): string | undefined {
  return timeOfMessage.exec(textsOf(personMessages(request).at(-1)).at(-1) ?? '')?.[1]
}

/** What is attached to the person's messages, with the newest message last. */
export function attachedTo(request: ModelRequest): {
  readonly last: readonly (FilePart | ImagePart)[]
  readonly all: readonly (FilePart | ImagePart)[]
} {
  const files = personMessages(request).map(({ content }) =>
    content.filter((part): part is FilePart | ImagePart => part.type === 'file' || part.type === 'image'),
  )
  return { last: files.at(-1) ?? [], all: files.flat() }
}

/** The answers to the calls that were made since the person wrote last, in order. */
export function resultsSince({ messages }: ModelRequest): readonly CallResult[] {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  return since.flatMap((message) =>
    message.role !== 'tool'
      ? []
      : message.content.map(({ name, content, is_error: failed = false }) => {
          const text = content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join(', ')
          return { tool: name, text, failed, refused: failed && text.startsWith('Not run: ') }
        }),
  )
}

/** The first words of the chat for which the service asks for a title; undefined: it asks for something else. */
export const titledWords = (written: string): string | undefined =>
  /^----- material \S+ -----\nThe person:\n((?:\(the file .*\)\n)*.*)/.exec(written)?.[1]

/**
 * `call roll_dice {"count": 3}`: a tool that is offered by that name, its plugin's id in front or
 * not.
 */
export function wantedCall(
  written: string,
  { tools }: Pick<ModelRequest, 'tools'>,
): { readonly name: string; readonly arguments: JsonObject } | undefined {
  const [, word, input = '{}'] = /^call (\w+)(?: (\{.*\}))?$/s.exec(written.trim()) ?? []
  const name = tools.find((tool) => tool.name === word || tool.name.endsWith(`__${word}`))?.name
  const values = parsed(input)
  return name === undefined || values === undefined ? undefined : { name, arguments: values }
}

/** The JSON object in a text; undefined if it is none. */
export function parsed(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    return undefined
  }
}

/** The time zone that a text names. */
export const zoneIn = (text: string): string | undefined => /\b[A-Z][A-Za-z]+\/[A-Z][A-Za-z_]+\b/.exec(text)?.[0]
