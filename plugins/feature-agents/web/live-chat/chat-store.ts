import { createStore, type SetStoreFunction } from 'solid-js/store'
import type { Schemas } from '../api/index.js'
import type { Retry } from '../failures/retry-note.js'
import type { Asked } from './read-asked.js'

export type Chat = Schemas['Chat']
export type Message = Schemas['Message']
export type Part = Schemas['Part']
export type ResultPart = Schemas['ResultPart']

/** What is known of a call beyond its arguments. */
export interface CallState {
  readonly startedAt?: number
  readonly finishedAt?: number
  /** What it reports of its progress. */
  readonly lines: readonly string[]
  /** The end of what it prints, and where it ends in the whole output. */
  readonly output?: string
  readonly outputEnd?: number
  /** What it made or changed. */
  readonly files?: readonly Schemas['MadeFile'][]
  readonly result?: { readonly content: readonly ResultPart[]; readonly isError: boolean; readonly unknown: boolean }
}

/** What is known of one chat in this page. */
export interface ChatData {
  chat: Chat | undefined
  /** From old to new. */
  order: readonly string[]
  messages: Record<string, Message>
  calls: Record<string, CallState>
  asked: Record<string, Asked>
  models: Record<string, string>
  deleted: boolean
  notice: string | undefined
  /** The model call in progress is made again, and nothing of its answer is there yet. */
  retry: Retry | undefined
  stopping: boolean
}

/** Where it is kept: components follow each part of it by itself. */
export interface ChatStore {
  readonly state: ChatData
  readonly set: SetStoreFunction<ChatData>
}

export function createChatStore(): ChatStore {
  const [state, set] = createStore<ChatData>({
    ...{ chat: undefined, order: [], messages: {}, calls: {}, asked: {}, models: {} },
    ...{ retry: undefined, notice: undefined, stopping: false, deleted: false },
  })
  return { state, set }
}
