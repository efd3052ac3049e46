import type { JsonObject } from '@agent-service/sdk'
import type { ApiClient, StreamEvent } from '../api-client.js'
import { serviceUnreachableError } from '../errors.js'
import type { QuestionDesk } from './answer-questions.js'
import type { ConversationView } from './conversation-view.js'

/**
 * The user's stream for as long as a conversation lasts: opened before the first message is sent, so that nothing is missed, and opened again where
 * it broke off.
 */
export interface EventFeed {
  /** Hands every event to the listener until it returns true. `onReset` is called when the stream could not be resumed. */
  follow(listener: (event: StreamEvent) => boolean, onReset: () => Promise<boolean>): Promise<void>
  close(): void
}

/** How often a stream that breaks off at once is opened again. */
const maximumFailures = 20

/** Opens the stream of one chat. Resolves when the service has accepted it. */
export function openEventFeed(client: ApiClient, chatId: string): EventFeed {
  const controller = new AbortController()
  const queue: (StreamEvent | { readonly reset: true } | { readonly error: unknown })[] = []
  let wake: () => void = () => undefined

  const push = (item: (typeof queue)[number]): void => {
    queue.push(item)
    wake()
  }
  const read = async (): Promise<void> => {
    let lastEventId: string | undefined
    let failures = 0
    while (!controller.signal.aborted) {
      try {
        const path = `/api/events?chat_id=${encodeURIComponent(chatId)}`
        for await (const event of client.events(path, {
          signal: controller.signal,
          ...(lastEventId === undefined ? {} : { lastEventId }),
        })) {
          failures = 0
          lastEventId = event.id ?? lastEventId
          push(event.name === 'reset' ? { reset: true } : event)
        }
      } catch (error) {
        if (controller.signal.aborted) return
        if (!serviceUnreachableError.isInstance(error) && !(error instanceof TypeError)) return push({ error })
        failures += 1
        if (failures > maximumFailures) return push({ error })
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(2_000, 100 * 2 ** failures)))
    }
  }
  void read()

  return {
    async follow(listener, onReset) {
      for (;;) {
        const item = queue.shift()
        if (!item) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
          continue
        }
        if ('error' in item) throw item.error
        if ('reset' in item) {
          if (await onReset()) return
          continue
        }
        if (listener(item)) return
      }
    },
    close: () => controller.abort(),
  }
}

/** What waits for an answer in a chat. */
export async function openQuestions(client: ApiClient, chatId: string): Promise<readonly JsonObject[]> {
  const page = (await client.request('GET', `/api/approvals?status=pending&limit=200&chat_id=${chatId}`)) as JsonObject
  return (page['items'] ?? []) as readonly JsonObject[]
}

/** Shows one run from its beginning to its end, and puts its questions. @throws `waiting_for_person` where nobody can be asked. */
export async function followRun(
  client: ApiClient,
  feed: EventFeed,
  view: ConversationView,
  desk: QuestionDesk,
  run: { readonly id: string; readonly chatId: string },
): Promise<void> {
  const ended = feed.follow(
    (event) => {
      const isLast = view.show(event)
      if (event.data['run_id'] === run.id) desk.show(event)
      return isLast
    },
    async () => {
      const state = (await client.request('GET', `/api/runs/${run.id}`)) as JsonObject
      if (!['completed', 'failed', 'cancelled'].includes(String(state['status']))) {
        for (const asked of await openQuestions(client, run.chatId)) if (asked['run_id'] === run.id) desk.ask(asked)
        return false
      }
      const page = (await client.request('GET', `/api/chats/${run.chatId}/messages?limit=200`)) as JsonObject
      view.showRest((page['items'] ?? []) as readonly JsonObject[])
      return true
    },
  )
  try {
    await Promise.race([ended, desk.unanswered])
  } finally {
    desk.close()
  }
}
