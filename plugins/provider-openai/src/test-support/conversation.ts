import type { ContentPart, ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import type { Recording } from '@agent-service/sdk/testing'

export type AssistantContent = Extract<ModelMessage, { readonly role: 'assistant' }>['content']

/**
 * The recordings of the turns of a conversation before this one, from old to new. Empty for one
 * that is alone.
 */
export function turnsBefore(recording: Recording, all: readonly Recording[]): readonly Recording[] {
  const [, base, number] = /^(.*)\.(\d+)$/.exec(recording.name) ?? []
  if (base === undefined) return []
  return Array.from({ length: Number(number) }, (_, turn) => all.find(({ name }) => name === `${base}.${turn}`)).filter(
    (turn) => turn !== undefined,
  )
}

export const userText = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })

/**
 * A result of a call of the turn before it, found by the vendor's id, with our id as that turn has
 * it.
 */
export const resultOf = (id: string, text: string): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool_result', call_id: id, provider_call_id: id, name: 'a_tool', content: [{ type: 'text', text }] }],
})

/** The opaque data of an answer as texts, to be found again on the wire. */
export const opaqueTexts = (content: readonly ContentPart[]): readonly string[] =>
  content.flatMap((part) => ('opaque' in part && part.opaque ? longTexts(part.opaque.data) : []))

function longTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length > 40 ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(longTexts) : []
}
