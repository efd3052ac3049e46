import type { ToolProgress } from '@agent-service/sdk/contracts/tool'
import type { Events } from '@agent-service/sdk/services/events'
import { cutText, wellFormed } from '../../common/well-formed.js'
import type { CallMask } from '../../points/hooks/call-mask.js'
import type { PendingCall } from '../log/plan-next.js'
import type { RunSession } from '../session/run-session.js'
import type { DeltaSource } from '../streaming/delta-throttle.js'

/**
 * Publishes the progress of a running tool: the newest message of each call, throttled with the
 * run.
 */
export function createToolProgress(dependencies: {
  readonly session: RunSession
  readonly events: Pick<Events, 'publishDelta'>
  readonly call: PendingCall
  /** Masks the messages first. Default: no masking. */
  readonly mask?: Pick<CallMask, 'progress'>
}): { report(update: ToolProgress): Promise<void>; close(): void } {
  const { session, events, call, mask } = dependencies
  const { run } = session
  let newest: ToolProgress | undefined
  let closed = false
  const source: DeltaSource = {
    publish() {
      if (!newest) return
      const { message, fraction } = newest
      newest = undefined
      events.publishDelta({
        userId: run.user_id,
        name: 'tool_call.delta',
        data: {
          chat_id: run.chat_id,
          run_id: run.id,
          message_id: call.message_id,
          part: call.part,
          call_id: call.call_id,
          progress: { message: wellFormed(cutText(message, 500)), ...(fraction === undefined ? {} : { fraction }) },
        },
      })
    },
  }
  return {
    async report(update) {
      if (closed) return
      const message = mask ? await mask.progress(update.message) : update.message
      if (message === undefined || closed) return
      newest = { ...update, message }
      session.throttle.mark(source)
    },
    close() {
      closed = true
      session.throttle.unmark(source)
    },
  }
}
