import type { TokenEncoding } from './token-encoding.js'

/** A message to the thread. */
export type ToTokenThread =
  | { readonly kind: 'count'; readonly id: number; readonly encoding: TokenEncoding; readonly texts: readonly string[] }
  /** The count is no longer needed. */
  | { readonly kind: 'forget'; readonly id: number }

/** A message from the thread: the tokens of each text, or the failure. */
export type FromTokenThread =
  | { readonly id: number; readonly counts: readonly number[] }
  | { readonly id: number; readonly failure: string }
