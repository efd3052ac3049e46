import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { CallRecord } from '../common/call-record.js'

type Started = Omit<
  CallRecord,
  | 'startedAt'
  | 'durationMs'
  | 'firstTokenMs'
  | 'outcome'
  | 'failure'
  | 'stopReason'
  | 'responseModel'
  | 'usage'
  | 'requestId'
  | 'inOnePiece'
>

/** Collects the record of one call while it runs. */
export interface CallWatch {
  /** Part of an answer has been shown. */
  readonly shown: boolean
  /** The output so far: text, reasoning, arguments of tool calls. */
  shownText(): string
  /** Sees an event. */
  see(event: ModelEvent): void
  /** The record of the call. `failure` is the kind of failure, if it failed. */
  end(outcome: Exclude<CallRecord['outcome'], 'lost'>, failure?: string): CallRecord
}

/** Starts to watch a call that begins now. */
export function watchCall(call: Started, clock: Pick<Clock, 'now' | 'monotonic'>): CallWatch {
  const startedAt = clock.now()
  const started = clock.monotonic()
  let firstTokenAt: number | undefined
  let head: Extract<ModelEvent, { type: 'response.started' }> | undefined
  const pieces: string[] = []
  let finished: Extract<ModelEvent, { type: 'response.finished' }> | undefined
  return {
    get shown() {
      return firstTokenAt !== undefined
    },
    see(event) {
      if (event.type === 'response.started') head = event
      else firstTokenAt ??= clock.monotonic()
      if (event.type === 'response.finished') finished = event
      else if (event.type === 'text.delta' || event.type === 'reasoning.delta') pieces.push(event.text)
      else if (event.type === 'tool_call.delta') pieces.push(event.arguments_text)
    },
    shownText: () => pieces.join(''),
    end: (outcome, failure) => ({
      ...call,
      startedAt,
      durationMs: Math.round(clock.monotonic() - started),
      firstTokenMs: firstTokenAt === undefined ? undefined : Math.round(firstTokenAt - started),
      outcome,
      failure,
      stopReason: finished?.stop_reason,
      responseModel: head?.model,
      usage: finished?.usage,
      requestId: head?.request_id,
      inOnePiece: head?.in_one_piece === true,
    }),
  }
}
