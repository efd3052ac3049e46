import type { TokenEncoding } from './token-encoding.js'

/** What the service tells the thread. */
export type ToTokenThread =
  | { readonly kind: 'count'; readonly id: number; readonly encoding: TokenEncoding; readonly texts: readonly string[] }
  /** Nobody waits for it any more. */
  | { readonly kind: 'forget'; readonly id: number }

/** What the thread tells the service: the tokens of each text, or why there are none. */
export type FromTokenThread =
  | { readonly id: number; readonly counts: readonly number[] }
  | { readonly id: number; readonly failure: string }
