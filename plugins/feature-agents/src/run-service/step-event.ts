import type { RunEvent } from '@agent-service/sdk/services/runs'
import type { RunStep } from '../store/runs/run-step.js'

/** A stored event that follows from a step alone. */
type PlainEvent = Exclude<Extract<RunEvent, { readonly cursor: string }>, { readonly type: 'message' | 'finished' }>

/** A cursor: the index of a step. */
export const cursorOf = ({ index }: Pick<RunStep, 'index'>): string => String(index)

/** The index in a cursor; undefined if it is not a cursor. */
export const indexOf = (cursor: string): number | undefined => (/^(0|[1-9]\d{0,8})$/.test(cursor) ? Number(cursor) : undefined)

/** The event of a step for watchers; undefined: there is none, or it needs more than the step. */
export function plainEventOf(step: RunStep, purpose: string | undefined): PlainEvent | undefined {
  const { body, at } = step
  const place = { cursor: cursorOf(step), at }
  switch (body.type) {
    case 'run.started':
      return { type: 'started', ...place }
    case 'tool.started':
      return { type: 'tool.started', ...place, callId: body.call_id, name: body.name, ...(purpose === undefined ? {} : { purpose }) }
    case 'tool.completed':
      return { type: 'tool.finished', ...place, callId: body.call_id, name: body.result.name, isError: body.result.is_error === true }
    case 'approval.requested':
      return { type: 'question.asked', ...place, callId: body.call_id, kind: body.kind }
    case 'approval.resolved':
      return { type: 'question.resolved', ...place, callId: body.call_id, outcome: body.outcome }
    case 'result.refused':
      return { type: 'result.refused', ...place, problems: body.problems }
    default:
      return undefined
  }
}
