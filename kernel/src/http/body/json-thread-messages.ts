import type { Problem, TSchema } from '@agent-service/sdk'
import type { JsonPiece } from './json-pieces.js'

/** What the service tells the thread. */
export type ToJsonThread =
  | {
      readonly kind: 'read'
      readonly id: number
      readonly chunks: readonly Uint8Array<ArrayBuffer>[]
      readonly schema: TSchema
      readonly maximumDepth: number
    }
  /** The next batch, please. */
  | { readonly kind: 'next'; readonly id: number }
  | { readonly kind: 'forget'; readonly id: number }

/** What the thread tells the service. */
export type FromJsonThread =
  | { readonly kind: 'batch'; readonly id: number; readonly pieces: readonly JsonPiece[]; readonly last: boolean }
  | { readonly kind: 'problems'; readonly id: number; readonly problems: readonly Problem[] }
  | { readonly kind: 'refused'; readonly id: number; readonly refusal: JsonRefusal }

/** Why a text was not taken. */
export type JsonRefusal =
  | { readonly code: 'malformed_json'; readonly reason: string }
  | { readonly code: 'nesting_too_deep'; readonly limit: number }
  | { readonly code: 'failed'; readonly message: string }
