import type { Json } from './recording-upstream.js'

/** The value at a dotted path of the body that reaches the upstream. */
export type WireValue = readonly [path: string, value: Json]

/** How a test asks for one field of the table in `kernel/docs/model-api-fields.md`. */
export interface FieldSample {
  /** A value that is passed on, has no effect, or is refused. */
  readonly value: Json
  /** The members of a request that have the value, or not, when it is `undefined`. */
  place(value: Json | undefined): { readonly [name: string]: Json | undefined }
  /** What each upstream protocol gets. One that is not named cannot carry the field. */
  readonly wire?: { readonly completions?: WireValue; readonly responses?: WireValue }
  /** `param` of a refusal. Default: the field, with every `[]` as `[0]`. */
  readonly param?: string
}

/** See {@link FieldSample.place}. */
export type Place = FieldSample['place']
/** See {@link FieldSample.wire}. */
export type Wire = NonNullable<FieldSample['wire']>

// What the requests of the samples have around the field.
export const image = 'data:image/png;base64,AAAA'
export const pdf = 'data:application/pdf;base64,BBBB'
export const parameters = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'], additionalProperties: false }
export const weather = { name: 'weather', description: 'The weather.', parameters }
export const hello = { role: 'user', content: 'Hi' }

/** A field at the top of the request. */
export const top = (name: string, value: Json, wire?: Wire): FieldSample => ({
  value,
  place: (given) => ({ [name]: given }),
  ...(wire && { wire }),
})

/** The same path at both upstreams. */
export const both = (path: string, value: Json): Wire => ({ completions: [path, value], responses: [path, value] })

export const sample = (value: Json, place: Place, wire?: Wire, param?: string): FieldSample => ({
  value,
  place,
  ...(wire && { wire }),
  ...(param !== undefined && { param }),
})

/** What a responses upstream is asked to include when log probabilities are wanted. */
export const allOutput: Json = ['reasoning.encrypted_content', 'message.output_text.logprobs']
