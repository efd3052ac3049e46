import type { TextPart, ToolCallPart, ToolResultPart } from '../../../contracts/provider-adapter/content.js'
import type { ModelMessage, ModelTool } from '../../../contracts/provider-adapter/request.js'
import type { JsonObject } from '../../../core/json.js'

/**
 * A text that occurs nowhere else, with what formats escape and encodings lose. The mark is at both
 * ends, so a text that was cut anywhere is found.
 */
export const markedText = (mark: string, body = 'Grüße aus dem “Kräutergarten” 🌿, C:\\beet\\1:\n\tThymian & <Salbei>'): string =>
  `${mark}a ${body} ${mark}z`

export const textOf = (mark: string): TextPart => ({ type: 'text', text: markedText(mark) })

/** One of three turns of a long conversation, which begins and ends with the person. */
export interface MarkedTurn {
  readonly role: 'user' | 'assistant'
  readonly marks: readonly string[]
}

/** Turns of two people's length: far more than a window of the last few. */
export const manyTurns: readonly MarkedTurn[] = Array.from({ length: 41 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  marks: ['one', 'two', 'three'].map((part) => `turn${index}${part}`),
}))

export const messagesOf = (turns: readonly MarkedTurn[]): readonly ModelMessage[] =>
  turns.map(({ role, marks }) => ({ role, content: marks.map(textOf) }))

/** Values that a careless copy changes. */
const nested: JsonObject = {
  beds: [
    { herb: 'Bärlauch 🌿', rows: 3, depth: 1.25, raised: false },
    { herb: '', rows: 0, depth: -2, raised: true },
  ],
  notes: { quoted: 'he said "no"\nand left', empty: [], far: { away: { and: 'further' } } },
}

export interface MarkedCall {
  readonly call: ToolCallPart
  /** The texts of its result. */
  readonly result: readonly string[]
  readonly failed?: true
}

const callOf = (mark: string, name: string): ToolCallPart => ({
  type: 'tool_call',
  call_id: `ours${mark}`,
  provider_call_id: `theirs${mark}`,
  name,
  arguments: { ...nested, place: `place${mark}` },
})

/** The first turn makes two calls, of different tools; the second makes one that fails. */
export const markedCalls: readonly (readonly MarkedCall[])[] = [
  [
    { call: callOf('one', 'look_up_herb'), result: ['resultone1', 'resultone2'] },
    { call: callOf('two', 'measure_bed'), result: ['resulttwo'] },
  ],
  [{ call: callOf('three', 'look_up_herb'), result: ['resultthree'], failed: true }],
]

/** The tools that are called, and one that is not. */
export const markedTools: readonly ModelTool[] = ['look_up_herb', 'measure_bed', 'water_plants'].map((name) => ({
  name,
  description: markedText(`describes_${name}`),
  parameters: {
    type: 'object',
    properties: {
      place: { type: 'string', description: markedText(`place_of_${name}`) },
      beds: {
        type: 'array',
        items: { type: 'object', properties: { [`herb_of_${name}`]: { type: 'string', enum: [`thyme_of_${name}`, `sage_of_${name}`] } } },
      },
    },
    required: ['place'],
  },
}))

/** A conversation with calls, as it is while a model works: its marks by message, in order. */
export interface MarkedMessage {
  readonly message: ModelMessage
  /** The texts in it that must be on the wire, by kind, each kind in order. */
  readonly texts: readonly string[]
  readonly calls: readonly ToolCallPart[]
  readonly results: readonly MarkedCall[]
}

const said = (role: 'user' | 'assistant', mark: string, calls: readonly MarkedCall[] = []): MarkedMessage => ({
  message: { role, content: [textOf(mark), ...calls.map(({ call }) => call)] } as ModelMessage,
  texts: [markedText(mark)],
  calls: calls.map(({ call }) => call),
  results: [],
})

export const resultOf = ({ call, result, failed }: MarkedCall): ToolResultPart => ({
  type: 'tool_result',
  call_id: call.call_id,
  ...(call.provider_call_id !== undefined && { provider_call_id: call.provider_call_id }),
  name: call.name,
  content: result.map(textOf),
  ...(failed && { is_error: true }),
})

const answered = (calls: readonly MarkedCall[]): MarkedMessage => ({
  message: { role: 'tool', content: calls.map(resultOf) },
  texts: calls.flatMap(({ result }) => result.map((mark) => markedText(mark))),
  calls: [],
  results: calls,
})

export function workingConversation(rounds: readonly (readonly MarkedCall[])[] = markedCalls): readonly MarkedMessage[] {
  return [
    said('user', 'asked'),
    ...rounds.flatMap((calls, index) => [said('assistant', `thought${index}`, calls), answered(calls)]),
    said('assistant', 'told'),
    said('user', 'askedagain'),
  ]
}
