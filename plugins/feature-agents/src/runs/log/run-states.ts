import { defineError } from '@agent-service/sdk'
import type { Run, RunStatus } from '../../store/runs/run.js'
import type { RunStepBody } from '../../store/runs/run-step.js'

/** The state of a run does not allow a transition: a bug in this plugin. Nothing was written. */
export const runStateError = defineError<{ readonly runId: string; readonly from: string; readonly to: string }>({
  code: 'run_state_invalid',
  status: 500,
  title: 'Run state invalid',
  message: ({ runId, from, to }) => `The run ${runId} cannot go from ${from} to ${to}.`,
})

type StepType = RunStepBody['type']

/** The statuses that may follow each status, besides itself. The log refuses any other. */
export const statusTransitions: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  queued: ['running', 'failed', 'cancelled'],
  running: ['waiting', 'completed', 'failed', 'cancelled'],
  waiting: ['running', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

/** The steps that may follow each step; `begin` is the empty log. The log refuses any other. */
export const stepTransitions: Readonly<Record<StepType | 'begin', readonly StepType[]>> = {
  begin: ['run.started', 'run.finished'],
  'run.started': ['model.requested', 'context.compacting'],
  'model.requested': ['model.requested', 'model.completed', 'model.failed', 'model.overflowed', 'run.finished'],
  'model.completed': ['tool.planned', 'result.refused', 'input.taken', 'run.finished'],
  'result.refused': ['model.requested', 'context.compacting', 'input.taken', 'run.finished'],
  'model.failed': ['run.finished'],
  'model.overflowed': ['context.compacted', 'context.kept', 'run.finished'],
  'context.compacting': ['context.compacted', 'context.kept', 'run.finished'],
  'context.compacted': ['model.requested', 'input.taken', 'run.finished'],
  'context.kept': ['model.requested', 'input.taken', 'run.finished'],
  'input.taken': ['model.requested', 'context.compacting', 'input.taken', 'run.finished'],
  'tool.planned': ['tool.planned', 'approval.requested', 'tool.started', 'tool.completed'],
  'approval.requested': ['approval.requested', 'approval.resolved', 'tool.started', 'tool.completed'],
  'approval.resolved': ['approval.requested', 'approval.resolved', 'tool.started', 'tool.completed'],
  'tool.started': ['approval.requested', 'approval.resolved', 'tool.started', 'tool.completed'],
  'tool.completed': ['approval.requested', 'approval.resolved', 'tool.started', 'tool.completed', 'tools.answered'],
  'tools.answered': ['model.requested', 'context.compacting', 'input.taken', 'run.finished'],
  'run.finished': [],
}

/**
 * @throws `run_state_invalid` if these steps may not follow the last one, or this status the
 * previous one.
 */
export function checkTransition(
  run: Pick<Run, 'id' | 'status' | 'step_count' | 'last_step'>,
  next: { readonly status: RunStatus; readonly steps: readonly RunStepBody[] },
): void {
  // A run of an earlier release has no record of its newest step.
  const unknown = run.last_step === null && run.step_count > 0
  let last: StepType | 'begin' | undefined = unknown ? undefined : (run.last_step ?? 'begin')
  for (const { type } of next.steps) {
    if (last !== undefined && !stepTransitions[last].includes(type)) throw runStateError.create({ runId: run.id, from: last, to: type })
    last = type
  }
  if (next.status !== run.status && !statusTransitions[run.status].includes(next.status)) {
    throw runStateError.create({ runId: run.id, from: run.status, to: next.status })
  }
}
