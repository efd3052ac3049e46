import { defineError, type JsonValue, type Logger } from '@agent-service/sdk'
import { type ChatPartPlace, chatParts } from '@agent-service/sdk/contracts/chat-part'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { storableObject } from '../../common/well-formed.js'
import { bounded, callContribution } from '../call-contribution.js'

/** A plugin could not erase its part of a chat. */
export const chatPartFailedError = defineError<{ readonly part: string }>({
  code: 'chat_part_failed',
  status: 503,
  title: 'Not deleted yet',
  message: ({ part }) =>
    `The chat is being deleted, but “${part}” could not erase its data about it. The service retries on its own; to retry at once, delete the chat again.`,
})

/** A part of a chat that an export or an import omits. */
export type OmittedPart = {
  readonly id: string
  /**
   * `not_installed`: no plugin contributes this part at present. `failed`: the log has the cause.
   * `too_large`: it exceeds the limit of an export.
   */
  readonly reason: 'not_installed' | 'failed' | 'too_large'
}

/** The data that plugins keep about chats. */
export interface ChatParts {
  /**
   * Has every part erase its data. @throws `chat_part_failed` for the first that failed, after all
   * were called; the signal's reason.
   */
  erase(chat: ChatPartPlace, signal: AbortSignal): Promise<void>
  /** Has every part end what works for a deleted chat. One that fails is logged. @throws the signal's reason. */
  rest(chat: ChatPartPlace, signal: AbortSignal): Promise<void>
  /** Exports the data of every part. */
  export(
    chat: ChatPartPlace,
    signal: AbortSignal,
  ): Promise<{ readonly parts: Readonly<Record<string, JsonValue>>; readonly omitted: readonly OmittedPart[] }>
  /** Passes every part its data. A part that fails to import is erased and reported. */
  import(chat: ChatPartPlace, parts: Readonly<Record<string, JsonValue>>, signal: AbortSignal): Promise<readonly OmittedPart[]>
}

const defaultTimeoutMs = 30_000
const maxTimeoutMs = 60_000
/** The most bytes of JSON of one part in an export. */
const maxExportBytes = 4 * 1024 * 1024

export function createChatParts(dependencies: {
  readonly contributions: Pick<Contributions, 'list' | 'acquire'>
  readonly log: Logger
}): ChatParts {
  const { contributions, log } = dependencies
  const all = () => contributions.list(chatParts)
  const callOf = (key: string, signal: AbortSignal) => {
    const timeoutMs = bounded(all().find((part) => part.key === key)?.value.timeoutMs, defaultTimeoutMs, 1, maxTimeoutMs)
    return { point: chatParts, key, timeoutMs, signal }
  }
  const failed = (what: string, key: string, { chatId }: ChatPartPlace, error: unknown): void =>
    log.warn(what, { part: key, chat_id: chatId, error })

  const eraseOne = async (key: string, chat: ChatPartPlace, signal: AbortSignal): Promise<boolean> => {
    try {
      await callContribution(contributions, callOf(key, signal), (part, within) => part.erase({ ...chat }, { signal: within }))
      return true
    } catch (error) {
      signal.throwIfAborted()
      failed('The data of a plugin about a chat could not be erased.', key, chat, error)
      return false
    }
  }

  const exportOne = async (
    key: string,
    chat: ChatPartPlace,
    signal: AbortSignal,
  ): Promise<{ readonly data: JsonValue } | 'too_large' | undefined> => {
    const asked = await callContribution(contributions, callOf(key, signal), (part, within) => part.export({ ...chat }, { signal: within }))
    if (asked?.answer === undefined) return undefined
    const text = JSON.stringify(asked.answer)
    if (Buffer.byteLength(text) > maxExportBytes) return 'too_large'
    return { data: JSON.parse(text) as JsonValue }
  }

  return {
    async erase(chat, signal) {
      const unfinished: string[] = []
      for (const { key, value } of all()) if (!(await eraseOne(key, chat, signal))) unfinished.push(value.title)
      const [part] = unfinished
      if (part !== undefined) throw chatPartFailedError.create({ part })
    },

    async rest(chat, signal) {
      for (const { key, value } of all()) {
        if (!value.rest) continue
        try {
          await callContribution(contributions, callOf(key, signal), async (part, within) => part.rest?.({ ...chat }, { signal: within }))
        } catch (error) {
          signal.throwIfAborted()
          failed('What a plugin does for a deleted chat could not be ended.', key, chat, error)
        }
      }
    },

    async export(chat, signal) {
      const parts = new Map<string, JsonValue>()
      const omitted: OmittedPart[] = []
      for (const { key } of all()) {
        try {
          const found = await exportOne(key, chat, signal)
          if (found === 'too_large') omitted.push({ id: key, reason: 'too_large' })
          else if (found) parts.set(key, found.data)
        } catch (error) {
          signal.throwIfAborted()
          failed('The data of a plugin about a chat could not be exported.', key, chat, error)
          omitted.push({ id: key, reason: 'failed' })
        }
      }
      return { parts: Object.fromEntries(parts), omitted }
    },

    async import(chat, parts, signal) {
      const omitted: OmittedPart[] = []
      for (const [id, given] of Object.entries(parts)) {
        const data = storableObject({ data: given })?.data
        try {
          const asked =
            data === undefined
              ? undefined
              : await callContribution(contributions, callOf(id, signal), async (part, within) => {
                  await part.import({ ...chat }, structuredClone(data), { signal: within })
                })
          if (!asked) omitted.push({ id, reason: data === undefined ? 'failed' : 'not_installed' })
        } catch (error) {
          signal.throwIfAborted()
          failed('The data of a plugin about a chat could not be imported.', id, chat, error)
          omitted.push({ id, reason: 'failed' })
          await eraseOne(id, chat, signal)
        }
      }
      return omitted
    },
  }
}
