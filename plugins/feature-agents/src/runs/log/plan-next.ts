import type { LostCall } from '@agent-service/sdk/services/inference'
import type { ApprovalOutcome, CompactionReason, PlannedCall, RunStep, RunStepBody } from '../../store/runs/run-step.js'
import { olderOmitted } from './compaction-codes.js'

/** A call that has no recorded result. */
export type PendingCall = PlannedCall & {
  readonly message_id: string
  /**
   * `asked`: a person was asked about it. `started`: a process began it and did not record its end.
   */
  readonly state: 'planned' | 'asked' | 'started'
  /** The answer of the person, if they were asked and have answered. */
  readonly answer?: { readonly outcome: ApprovalOutcome; readonly note: string | null }
}

/** The next action of a run. */
export type NextAction =
  | { readonly kind: 'start' }
  /**
   * `again`: a call of this turn was in progress when its process crashed; its message is
   * overwritten.
   */
  | { readonly kind: 'call-model'; readonly turn: number; readonly withTools: boolean; readonly again?: { readonly messageId: string } }
  /** Older messages are to be summarised before the call of this turn. */
  | { readonly kind: 'compact'; readonly turn: number; readonly reason: CompactionReason }
  | { readonly kind: 'run-tools'; readonly turn: number; readonly calls: readonly PendingCall[] }
  | { readonly kind: 'answer-tools'; readonly turn: number }
  | { readonly kind: 'finish'; readonly status: 'completed' }
  | { readonly kind: 'finish'; readonly status: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'done' }

/**
 * Decides the next action from the stored steps alone, so that an interrupted run always resumes
 * where it stopped.
 *
 * A turn is one model call and the tool calls that it asked for. After `maxToolTurns` turns with
 * tools one last call without tools follows; if that still asks for tools, the run fails with
 * `tool_turn_limit`. A person's messages are taken in between two turns, and so add a turn to a run
 * that would have ended.
 */
export function planNext(steps: readonly RunStepBody[], limits: { readonly maxToolTurns: number }): NextAction {
  const last = steps.at(-1)
  if (!last) return { kind: 'start' }
  const callModel = (turn: number): NextAction => ({ kind: 'call-model', turn, withTools: turn < limits.maxToolTurns })
  switch (last.type) {
    case 'run.started':
      return callModel(0)
    case 'model.requested':
      return { kind: 'call-model', turn: last.turn, withTools: last.with_tools, again: { messageId: last.message_id } }
    case 'model.overflowed':
      return { kind: 'compact', turn: last.turn, reason: 'overflow' }
    case 'context.compacting':
      return { kind: 'compact', turn: last.turn, reason: last.reason }
    case 'context.compacted':
      return afterCompaction(steps, last, limits)
    case 'context.kept':
      return last.reason === 'overflow' && last.code !== olderOmitted ? overflowEnd(steps, last.code) : afterCompaction(steps, last, limits)
    case 'input.taken':
      return callModel(lastTurn(steps) + 1)
    case 'model.failed':
      return { kind: 'finish', status: 'failed', code: last.code, message: last.message }
    // The model has everything for the answer; only the form is missing.
    case 'result.refused':
      return { kind: 'call-model', turn: last.turn + 1, withTools: false }
    case 'model.completed':
      return { kind: 'finish', status: 'completed' }
    case 'tool.planned':
    case 'approval.requested':
    case 'approval.resolved':
    case 'tool.started':
    case 'tool.completed':
      return planTools(steps, limits)
    case 'tools.answered':
      return callModel(last.turn + 1)
    case 'run.finished':
      return { kind: 'done' }
  }
}

/**
 * Whether a person's messages can be taken in before this action: between two turns, and before the
 * end.
 */
export const takesInput = (action: NextAction): boolean =>
  (action.kind === 'call-model' && action.again === undefined) || (action.kind === 'finish' && action.status === 'completed')

const lastTurn = (steps: readonly RunStepBody[]): number => {
  const requested = steps.findLast((step) => step.type === 'model.requested')
  return requested?.type === 'model.requested' ? requested.turn : -1
}

/** The model call of the turn follows, into the message of the refused call if there is one. */
function afterCompaction(
  steps: readonly RunStepBody[],
  { turn, reason }: { readonly turn: number; readonly reason: CompactionReason },
  limits: { readonly maxToolTurns: number },
): NextAction {
  const withTools = turn < limits.maxToolTurns
  const refused = reason === 'overflow' ? lastRefusal(steps) : undefined
  return refused
    ? { kind: 'call-model', turn, withTools, again: { messageId: refused.message_id } }
    : { kind: 'call-model', turn, withTools }
}

/** The end of a run whose conversation cannot become shorter, with the vendor's words about its length. */
function overflowEnd(steps: readonly RunStepBody[], code: string): NextAction {
  const advice = `The conversation is too long for the model, and it could not be summarised (${code}). Begin a new chat, or choose a model with a larger window.`
  const said = lastRefusal(steps)?.message
  return { kind: 'finish', status: 'failed', code: 'context_overflow', message: said === undefined ? advice : `${advice} ${said}` }
}

function lastRefusal(steps: readonly RunStepBody[]): Extract<RunStepBody, { type: 'model.overflowed' }> | undefined {
  const refused = steps.findLast((step) => step.type === 'model.overflowed')
  return refused?.type === 'model.overflowed' ? refused : undefined
}

/** The calls of the newest turn, if their results are not complete yet. */
export interface OpenToolTurn {
  readonly turn: number
  /** Whether the model was offered tools in this turn. */
  readonly withTools: boolean
  /** How many calls the model asked for. */
  readonly planned: number
  /** The calls without a recorded result, in the model's order. */
  readonly calls: readonly PendingCall[]
}

const toolSteps: ReadonlySet<RunStepBody['type']> = new Set([
  'tool.planned',
  'approval.requested',
  'approval.resolved',
  'tool.started',
  'tool.completed',
])

/** The tool turn that a run is in; `undefined` if it is in none. */
export function openToolTurn(steps: readonly RunStepBody[]): OpenToolTurn | undefined {
  const last = steps.at(-1)
  if (!last || !toolSteps.has(last.type)) return undefined
  const begin = steps.findLastIndex((step) => step.type === 'model.requested')
  const requested = steps[begin]
  if (requested?.type !== 'model.requested') return undefined
  const started = new Set<string>()
  const completed = new Set<string>()
  const asked = new Set<string>()
  const answers = new Map<string, NonNullable<PendingCall['answer']>>()
  const planned: (PlannedCall & { readonly message_id: string })[] = []
  for (const step of steps.slice(begin)) {
    if (step.type === 'tool.planned') planned.push(step)
    if (step.type === 'approval.requested') asked.add(step.call_id)
    if (step.type === 'approval.resolved') answers.set(step.call_id, { outcome: step.outcome, note: step.note })
    if (step.type === 'tool.started') started.add(step.call_id)
    if (step.type === 'tool.completed') completed.add(step.call_id)
  }
  return {
    turn: requested.turn,
    withTools: requested.with_tools,
    planned: planned.length,
    calls: planned
      .filter((call) => !completed.has(call.call_id))
      .map(({ call_id, name, arguments_hash, part, message_id }) => {
        const answer = answers.get(call_id)
        return {
          call_id,
          name,
          arguments_hash,
          part,
          message_id,
          state: started.has(call_id) ? 'started' : asked.has(call_id) ? 'asked' : 'planned',
          ...(answer ? { answer } : {}),
        }
      }),
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
      message: `The agent was still asking for tools after ${limits.maxToolTurns} rounds (inference.max_tool_turns). Give it a smaller task, or raise the limit.`,
    }
  }
  if (open.calls.length === 0) return { kind: 'answer-tools', turn: open.turn }
  return { kind: 'run-tools', turn: open.turn, calls: open.calls }
}

/**
 * The model calls at the end of a log that were announced and have no recorded end. There are
 * several if the process crashed repeatedly. A call that was stopped in order is among them; the
 * usage records have its end.
 */
export function lostCallsAt(steps: readonly RunStep[]): readonly LostCall[] {
  const last = steps.findLastIndex(({ body }) => body.type !== 'model.requested')
  return steps.slice(last + 1).map(({ id, at }) => ({ id, requestedAt: Date.parse(at) }))
}
