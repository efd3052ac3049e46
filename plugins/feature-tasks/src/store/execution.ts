import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { RunUsage } from '@agent-service/sdk/services/runs'
import type { TaskFailure } from './task.js'

/** What the runs of executions report to. */
export const executionKind = 'feature-tasks.execution'

/** `starting`: it has a place, and its run is about to begin. The last three are final. */
export const executionStates = ['queued', 'starting', 'running', 'waiting', 'completed', 'failed', 'cancelled'] as const
export type ExecutionState = (typeof executionStates)[number]

/** What made it happen. */
export const executionTriggers = ['now', 'due', 'schedule', 'agent'] as const
export type ExecutionTrigger = (typeof executionTriggers)[number]

/** A change of state, as it was stored. */
export interface Transition {
  readonly state: ExecutionState
  readonly at: string
  /** A sentence for people; empty: nothing to add. */
  readonly note: string
}

/** One run of an execution. */
export interface Attempt {
  readonly number: number
  /** Of the run: the same start finds the same run, also after a crash. */
  readonly key: string
  readonly run_id: string | null
  readonly chat_id: string | null
  readonly started_at: string
  readonly ended_at: string | null
  readonly failure: TaskFailure | null
  readonly usage: RunUsage | null
}

/** What the run is asked, as the task said when the attempt began. */
export interface Order {
  readonly title: string
  readonly message: string
  readonly agent_id: string
  readonly model_group: string | null
  readonly tools: readonly string[] | null
  readonly max_seconds: number
  readonly result: { readonly name: string; readonly schema: JsonObject } | null
}

/** One carrying-out of a task. */
export interface Execution {
  readonly id: string
  readonly user_id: string
  readonly task_id: string
  readonly agent_id: string | null
  readonly state: ExecutionState
  /** True while it is starting, running or waiting, else null. */
  readonly in_hand: true | null
  readonly trigger: ExecutionTrigger
  /** The time that it is for. Null: whenever there was a place. */
  readonly scheduled_for: string | null
  /** How many due times it stands for; more than one if some were missed. */
  readonly represents: number
  /** While it waits for a place: whose turn it waits for, and since when. */
  readonly lane: string | null
  readonly lane_at: string | null
  /** While it waits for a time, after a failure. */
  readonly not_before: string | null
  /** The places that it has. */
  readonly leases: readonly string[]
  readonly order: Order | null
  readonly attempts: readonly Attempt[]
  readonly waiting_for: 'person' | 'tasks' | null
  readonly cancel: { readonly at: string; readonly reason: string } | null
  readonly transitions: readonly Transition[]
  readonly answer: string | null
  readonly result: { readonly value: JsonValue } | null
  readonly failure: TaskFailure | null
  readonly warnings: readonly string[]
  /** The execution whose call waits for this one. */
  readonly parent_execution: string | null
  readonly created_at: string
  readonly started_at: string | null
  readonly ended_at: string | null
}

export const executionCollection = defineCollection<Execution>()({
  name: 'tasks.executions',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_task: { fields: ['task_id', 'id'] },
    by_lane: { fields: ['lane', 'lane_at', 'id'] },
    by_wake: { fields: ['not_before'] },
    by_hand: { fields: ['in_hand', 'id'] },
    by_parent: { fields: ['parent_execution', 'id'] },
    by_agent_end: { fields: ['agent_id', 'ended_at'] },
    by_end: { fields: ['ended_at'] },
  },
})

/** The most transitions that are kept; a task that is retried and answered often has more. */
const maxTransitions = 200

/** The execution in another state, which is noted. */
export const moved = (execution: Execution, state: ExecutionState, at: string, note = ''): Execution => ({
  ...execution,
  state,
  in_hand: state === 'starting' || state === 'running' || state === 'waiting' ? true : null,
  transitions: [...execution.transitions, { state, at, note }].slice(-maxTransitions),
})

export const isEnded = ({ state }: Pick<Execution, 'state'>): boolean =>
  state === 'completed' || state === 'failed' || state === 'cancelled'

/** The user, and the agent whose cap counts: those that wait for a place take turns by it. */
export const laneOf = (userId: string, agentId: string): string => `${userId}/${agentId}`

/** The tokens of all attempts. */
export function usageOf({ attempts }: Pick<Execution, 'attempts'>): RunUsage {
  const sum = (member: keyof RunUsage): number => attempts.reduce((total, { usage }) => total + (usage?.[member] ?? 0), 0)
  return {
    input_tokens: sum('input_tokens'),
    cached_input_tokens: sum('cached_input_tokens'),
    output_tokens: sum('output_tokens'),
    reasoning_tokens: sum('reasoning_tokens'),
  }
}
