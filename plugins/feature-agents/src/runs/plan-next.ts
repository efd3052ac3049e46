import type { PlannedCall, RunStepBody } from './run-step.js'

/** A call that has no recorded result. */
export type PendingCall = PlannedCall & {
  readonly message_id: string
  /** `started`: a process began it and did not record its end. */
  readonly state: 'planned' | 'started'
}

/** The next thing that a run has to do. */
export type NextAction =
  | { readonly kind: 'start' }
  /** `again`: a call of this turn was under way when its process went down; its message is written over. */
  | { readonly kind: 'call-model'; readonly turn: number; readonly withTools: boolean; readonly again?: { readonly messageId: string } }
  | { readonly kind: 'run-tools'; readonly turn: number; readonly calls: readonly PendingCall[] }
  | { readonly kind: 'answer-tools'; readonly turn: number }
  | { readonly kind: 'finish'; readonly status: 'completed' }
  | { readonly kind: 'finish'; readonly status: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'done' }

/**
 * Decides what comes next from what is stored and from nothing else, so that a run that was interrupted anywhere goes on where it was.
 *
 * A turn is one model call and the tool calls that it asked for. After `maxToolTurns` turns with tools one last call without tools follows; if that
 * still asks for tools, the run fails with `tool_turn_limit`.
 */
export function planNext(steps: readonly RunStepBody[], limits: { readonly maxToolTurns: number }): NextAction {
  const last = steps.at(-1)
  if (!last) return { kind: 'start' }
  switch (last.type) {
    case 'run.started':
      return { kind: 'call-model', turn: 0, withTools: limits.maxToolTurns > 0 }
    case 'model.requested':
      return { kind: 'call-model', turn: last.turn, withTools: last.with_tools, again: { messageId: last.message_id } }
    case 'model.failed':
      return { kind: 'finish', status: 'failed', code: last.code, message: last.message }
    case 'model.completed':
      return { kind: 'finish', status: 'completed' }
    case 'tool.planned':
    case 'tool.started':
    case 'tool.completed':
      return planTools(steps, limits)
    case 'tools.answered':
      return { kind: 'call-model', turn: last.turn + 1, withTools: last.turn + 1 < limits.maxToolTurns }
    case 'run.finished':
      return { kind: 'done' }
  }
}

/** The newest turn's calls, where it asked for tools and was not answered yet. */
export interface OpenToolTurn {
  readonly turn: number
  /** Whether the model was offered tools in this turn. */
  readonly withTools: boolean
  /** How many calls it asked for. */
  readonly planned: number
  /** Those without a recorded result, in the order in which it asked. */
  readonly calls: readonly PendingCall[]
}

/** The tool calls that a run is in the middle of; `undefined` when it is not. */
export function openToolTurn(steps: readonly RunStepBody[]): OpenToolTurn | undefined {
  const last = steps.at(-1)
  if (last?.type !== 'tool.planned' && last?.type !== 'tool.started' && last?.type !== 'tool.completed') return undefined
  const begin = steps.findLastIndex((step) => step.type === 'model.requested')
  const requested = steps[begin]
  if (requested?.type !== 'model.requested') return undefined
  const started = new Set<string>()
  const completed = new Set<string>()
  const planned: (PlannedCall & { readonly message_id: string })[] = []
  for (const step of steps.slice(begin)) {
    if (step.type === 'tool.planned') planned.push(step)
    if (step.type === 'tool.started') started.add(step.call_id)
    if (step.type === 'tool.completed') completed.add(step.call_id)
  }
  return {
    turn: requested.turn,
    withTools: requested.with_tools,
    planned: planned.length,
    calls: planned
      .filter((call) => !completed.has(call.call_id))
      .map(({ call_id, name, arguments_hash, part, message_id }) => ({
        call_id,
        name,
        arguments_hash,
        part,
        message_id,
        state: started.has(call_id) ? 'started' : 'planned',
      })),
  }
}

function planTools(steps: readonly RunStepBody[], limits: { readonly maxToolTurns: number }): NextAction {
  const open = openToolTurn(steps)
  if (!open) throw new Error('The log of a run has a tool call before any model call.')
  if (!open.withTools) {
    return {
      kind: 'finish',
      status: 'failed',
      code: 'tool_turn_limit',
      message: `The agent was still asking for tools after ${limits.maxToolTurns} rounds (inference.max_tool_turns). Ask for less at once, or raise the limit.`,
    }
  }
  if (open.calls.length === 0) return { kind: 'answer-tools', turn: open.turn }
  return { kind: 'run-tools', turn: open.turn, calls: open.calls }
}
