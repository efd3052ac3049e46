import type { Events } from '@agent-service/sdk/services/events'
import { wellFormed, wholeLength } from '../../common/well-formed.js'
import type { CallMask } from '../../points/hooks/call-mask.js'
import type { PendingCall } from '../log/plan-next.js'
import type { RunSession } from '../session/run-session.js'
import type { DeltaSource } from '../streaming/delta-throttle.js'

/** Up to this offset, output is shown whole unless it floods; behind it only the newest. */
const maxWhole = 200_000
/** The longest text of one event, and the longest behind `maxWhole`, in UTF-16 code units. */
const maxPiece = 16_000
const maxLatePiece = 2_000
/** How much may wait to be published; the oldest is left out. */
const maxWaiting = 64_000
/** How much of the newest output is kept for people who begin to watch during the call. */
const maxKept = 16_000
/** The longest piece of a line that waits for its end to be masked. */
const maxHeldLine = 8_000

/**
 * Publishes the output of a running tool in pieces, throttled with the run. Where a hook masks whole
 * lines, they are shown once they end, longer ones in pieces, and the last one without an end is not.
 */
export function createToolOutput(dependencies: {
  readonly session: Pick<RunSession, 'run' | 'throttle' | 'outputs'>
  readonly events: Pick<Events, 'publishDelta'>
  readonly call: PendingCall
  /** Masks the texts first. Default: no masking. */
  readonly mask?: Pick<CallMask, 'output' | 'byLines'>
}): { report(text: string): Promise<void>; close(): void } {
  const { session, events, call, mask } = dependencies
  let held = ''
  let waiting = ''
  /** The offset of `waiting` in the whole output. */
  let offset = 0
  let closed = false

  const source: DeltaSource = {
    publish() {
      const late = offset >= maxWhole
      if (late) skip(waiting.length - maxLatePiece)
      const text = waiting.slice(0, wholeLength(waiting.slice(0, maxPiece)))
      if (text === '') return
      events.publishDelta({
        userId: session.run.user_id,
        name: 'tool_call.delta',
        data: {
          ...{ chat_id: session.run.chat_id, run_id: session.run.id },
          ...{ message_id: call.message_id, part: call.part, call_id: call.call_id },
          output: { offset, text: wellFormed(text) },
        },
      })
      keep(text)
      skip(text.length)
      if (wholeLength(waiting) > 0) session.throttle.mark(source)
    },
  }
  /** What was left out between two pieces is missing here too. */
  const keep = (text: string): void => {
    const before = session.outputs.get(call.call_id)
    const whole = (before && before.offset + before.text.length === offset ? before.text : '') + text
    const shown = whole.slice(Math.max(0, whole.length - maxKept))
    session.outputs.set(call.call_id, { offset: offset + text.length - shown.length, text: wellFormed(shown) })
  }
  const skip = (length: number): void => {
    if (length <= 0) return
    waiting = waiting.slice(length)
    offset += length
  }
  const show = (text: string): void => {
    waiting += text
    skip(waiting.length - maxWaiting)
    if (wholeLength(waiting) > 0) session.throttle.mark(source)
  }
  const showMasked = async (text: string, { output, byLines }: Pick<CallMask, 'output' | 'byLines'>): Promise<void> => {
    held += text
    const end = held.length > maxHeldLine || !byLines() ? wholeLength(held) : held.lastIndexOf('\n') + 1
    if (end === 0) return
    const lines = held.slice(0, end)
    held = held.slice(end)
    const masked = await output(lines)
    if (closed) return
    if (masked === undefined) offset += lines.length
    else show(masked)
  }

  return {
    async report(text) {
      if (closed || text === '') return
      if (mask) await showMasked(text, mask)
      else show(text)
    },
    close() {
      closed = true
      session.outputs.delete(call.call_id)
      session.throttle.unmark(source)
    },
  }
}
