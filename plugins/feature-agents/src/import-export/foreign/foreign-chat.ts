import type { Product } from '../../common/products.js'

/** Where the content of a file is. */
export type FileSource =
  /** In the archive, in a file whose name begins with one of these ids. */
  | { readonly kind: 'archived'; readonly ids: readonly string[] }
  | { readonly kind: 'base64'; readonly data: string }
  | { readonly kind: 'text'; readonly text: string }
  /** The product does not export it. */
  | { readonly kind: 'missing' }

/** A piece of a message. `call` and `result` belong together by `id`. */
export type ForeignPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'file'; readonly name: string; readonly source: FileSource }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'result'; readonly id: string; readonly name: string; readonly text: string; readonly isError: boolean }

/** A message as its product knows it. One without parts is left out, and what follows it moves up. */
export interface ForeignMessage {
  readonly id: string
  /** The message that it follows; null: it begins the chat. */
  readonly parent: string | null
  readonly role: 'user' | 'assistant'
  readonly parts: readonly ForeignPart[]
  /** In milliseconds since 1970. */
  readonly at?: number | undefined
  /** The model that wrote it, in the words of the product. */
  readonly model?: string | undefined
  /** The answer broke off. */
  readonly partial?: boolean
}

/** A chat as its product knows it: a tree of messages, of which one path is shown. */
export interface ForeignChat {
  readonly product: Product
  /** By which the product tells it from its others, for all time. */
  readonly id: string
  readonly title: string | null
  /** In milliseconds since 1970. */
  readonly createdAt?: number | undefined
  readonly updatedAt?: number | undefined
  readonly archived: boolean
  readonly pinned: boolean
  /** Those that follow the same one in the order of the product. */
  readonly messages: readonly ForeignMessage[]
  /** The last message of the path that is shown. Absent: the newest. */
  readonly current?: string | undefined
}

/** A chat cannot be imported. The message says why, for the person who imports it. */
export class ForeignChatError extends Error {
  override readonly name = 'ForeignChatError'
}
