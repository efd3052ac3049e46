import type { Disposer } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import { typingEveryMs, typingForMs, typingMs } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import type { Conversation } from '../store/conversation.js'
import type { OpenSession } from './open-session.js'

/** How many conversations can show it at a time; further ones go without. */
const maxShown = 500

/** How often, in times of showing it, the run is looked at. */
const checkEvery = 4

/** Shows in conversations that an answer is being written. Nothing depends on it. */
export interface Typing {
  begin(of: {
    readonly connectionId: string
    readonly conversation: Pick<Conversation, 'id' | 'conversation_id'>
    readonly userId: string
    readonly runId: string
  }): void
  stop(conversationId: string): void
  end(): void
}

export function createTyping({
  parts: { clock, log, runs },
  session,
}: {
  readonly parts: Pick<ChannelParts, 'clock' | 'log' | 'runs'>
  readonly session: (connectionId: string) => OpenSession | undefined
}): Typing {
  const shown = new Map<string, Disposer>()
  const stop = (id: string): void => {
    void shown.get(id)?.()
    shown.delete(id)
  }
  return {
    begin({ connectionId, conversation, userId, runId }) {
      stop(conversation.id)
      if (shown.size >= maxShown) return
      const until = clock.monotonic() + typingForMs
      let times = 0
      // The end of the run is reported once, maybe in another process or before this begins.
      const check = (): void => {
        const after = shown.get(conversation.id)
        runs.get({ userId, runId }).then(
          ({ finishedAt }) => {
            if (finishedAt !== null && shown.get(conversation.id) === after) stop(conversation.id)
          },
          () => stop(conversation.id),
        )
      }
      const show = (): void => {
        times += 1
        const open = session(connectionId)
        if (open?.channel.supports.typing && open.session.typing)
          withTimeLimit((signal) => open.session.typing?.(conversation.conversation_id, { signal }) ?? Promise.resolve(), {
            ...{ limitMs: typingMs, clock, signal: open.signal },
          }).catch((error: unknown) => {
            if (!open.signal.aborted) log.debug('A channel could not show that an answer is being written.', { error })
          })
        if (clock.monotonic() >= until) {
          stop(conversation.id)
          return
        }
        shown.set(conversation.id, clock.after(typingEveryMs, show))
        if (times % checkEvery === 1) check()
      }
      show()
    },
    stop,
    end() {
      for (const id of shown.keys()) stop(id)
    },
  }
}
