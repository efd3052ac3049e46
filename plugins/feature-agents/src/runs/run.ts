import { Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'

export type RunStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'

/** Tokens of a run, over all its model calls. */
export type RunUsage = {
  readonly input_tokens: number
  readonly cached_input_tokens: number
  readonly output_tokens: number
  readonly reasoning_tokens: number
}

/** Why a run failed: a stable code and a sentence for people. */
export type RunFailure = { readonly code: string; readonly message: string }

/** One response of an agent: a state machine whose every model call and tool call is a stored step. */
export type Run = {
  readonly id: string
  readonly user_id: string
  readonly chat_id: string
  readonly agent_id: string
  readonly status: RunStatus
  readonly model_group: string
  readonly failure: RunFailure | null
  readonly usage: RunUsage
  /** Model calls that were completed. */
  readonly turns: number
  /** How many steps are stored: the index of the next one. */
  readonly step_count: number
  /** Grows with each process that takes the run up; a step of an older epoch is refused. */
  readonly epoch: number
  /** Until when the driver's lease holds; null: no driver. For several processes over one store. */
  readonly lease_until: string | null
  /** How many processes have come to the step that the run is at and did not get past it, this one included; one that stopped in order does not count. */
  readonly attempts: number
  /** Set by a cancel that has not been confirmed yet. */
  readonly cancel_requested_at: string | null
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
}

export const runCollection = defineCollection<Run>()({
  name: 'agents.runs',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_status: { fields: ['status', 'created_at', 'id'] },
    by_chat: { fields: ['chat_id', 'created_at', 'id'] },
    by_user: { fields: ['user_id', 'id'] },
  },
})

export const noUsage: RunUsage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 }

export const isFinished = (run: Pick<Run, 'status'>): boolean =>
  run.status === 'completed' || run.status === 'failed' || run.status === 'cancelled'

const nullableText = Type.Union([Type.String(), Type.Null()])

/** A run in an answer. */
export const runSchema = Type.Object({
  id: Type.String(),
  chat_id: Type.String(),
  agent_id: Type.String(),
  status: Type.Union([
    Type.Literal('queued'),
    Type.Literal('running'),
    Type.Literal('waiting'),
    Type.Literal('completed'),
    Type.Literal('failed'),
    Type.Literal('cancelled'),
  ]),
  model_group: Type.String(),
  failure: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
  usage: Type.Object({
    input_tokens: Type.Integer(),
    cached_input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
    reasoning_tokens: Type.Integer(),
  }),
  turns: Type.Integer(),
  created_at: Type.String(),
  started_at: nullableText,
  finished_at: nullableText,
})

/** What a client sees of a run. */
export function presentRun(run: Run) {
  const { id, chat_id, agent_id, status, model_group, failure, usage, turns, created_at, started_at, finished_at } = run
  return { id, chat_id, agent_id, status, model_group, failure, usage, turns, created_at, started_at, finished_at }
}
