import type { JsonObject } from '@agent-service/sdk'
import type { GuestAccess } from '@agent-service/sdk/contracts/tool'
import { defineCollection } from '@agent-service/sdk/services/database'

/** What a task is: work of an agent, a note to a person, or a standing instruction of an agent. */
export const taskKinds = ['task', 'reminder', 'heartbeat'] as const
export type TaskKind = (typeof taskKinds)[number]

/**
 * `scheduled`: it waits for a time. `queued`: for a place. `waiting`: for a person, or for tasks
 * that it created. The last three are final.
 */
export const taskStatuses = ['scheduled', 'queued', 'working', 'waiting', 'paused', 'completed', 'failed', 'cancelled'] as const
export type TaskStatus = (typeof taskStatuses)[number]

/** What happens to times at which the service was not there. */
export const missedPolicies = ['once', 'skip', 'all'] as const
export type MissedPolicy = (typeof missedPolicies)[number]

/** What a heartbeat looks at before its agent is asked. */
export type HeartbeatCheck =
  /** The agent is asked each time. */
  | { readonly kind: 'always' }
  /** A file or folder of the agent's workspace has changed. */
  | { readonly kind: 'file'; readonly path: string }
  /** A task of the agent has ended. */
  | { readonly kind: 'tasks' }

/** The rest of a heartbeat. */
export interface Heartbeat {
  readonly check: HeartbeatCheck
  /** In 24 hours. */
  readonly max_runs: number
  /** In 24 hours, input and output together. */
  readonly max_tokens: number
  /** What the check found the last time that the agent was asked. */
  readonly seen: string | null
  readonly looked_at: string | null
  readonly outcome: 'nothing_to_do' | 'asked' | 'budget_spent' | null
}

/** Why a task failed, or cannot go on. */
export interface TaskFailure {
  /** Stable. */
  readonly code: string
  /** A sentence for people. */
  readonly message: string
}

/** When something that may come again was last told, and how often it came since. */
export interface Told {
  readonly at: string
  readonly unsaid: number
}

/** A planned time at which no run began. */
export interface LateRun {
  readonly scheduled_for: string
  readonly noticed_at: string
  /** Stable. */
  readonly code: string
  /** Why, in a sentence for people. */
  readonly message: string
}

/** The task that created another one, or the chat whose agent did. */
export interface TaskParent {
  readonly task_id: string | null
  readonly execution_id: string | null
  readonly run_id: string
  readonly call_id: string
  /** Whether that call waits for the result. */
  readonly waits: boolean
  /** How many tasks or runs are above it, from 1. */
  readonly depth: number
}

/** What a task is to do, and when. It says nothing about a single execution but which are open. */
export interface Task {
  readonly id: string
  readonly user_id: string
  readonly kind: TaskKind
  readonly title: string
  readonly instruction: string
  /** Null: a reminder, which no agent works on. */
  readonly agent: { readonly id: string; readonly handle: string } | null
  /** Null: the agent's. */
  readonly model_group: string | null
  /** Null: all of the agent's. */
  readonly tools: readonly string[] | null
  readonly max_seconds: number
  readonly result: { readonly name: string; readonly schema: JsonObject } | null
  /** Null: it happens once. `timezone` null: the user's. */
  readonly schedule: { readonly cron: string; readonly timezone: string | null } | null
  /** Null: at once, or by the schedule. */
  readonly due_at: string | null
  readonly missed: MissedPolicy
  readonly spread_secs: number
  readonly max_retries: number
  readonly retry_delay_secs: number
  /** Whether a tool whose last call failed makes the execution fail. */
  readonly tool_failures: 'fail' | 'allow'
  readonly notify: 'always' | 'failures' | 'never'
  readonly heartbeat: Heartbeat | null
  readonly parent: TaskParent | null
  readonly created_by: 'person' | 'agent'
  /** The agent that created it. */
  readonly creator_agent_id: string | null
  /** What its runs may use, if it was created in a chat in which guests write; else null. Never changes. */
  readonly guests: GuestAccess | null
  /**
   * The agents for which its runs work, by id: the one that created it, after those for which that
   * one worked. Empty: a person created it. Never changes.
   */
  readonly callers: readonly string[]

  readonly status: TaskStatus
  readonly paused: boolean
  readonly cancelled_at: string | null
  /** Why it cannot go on without a person. */
  readonly problem: TaskFailure | null
  /** The zone of {@link next_at}. */
  readonly zone: string | null
  /** As {@link zone}, if it is the user's: tasks that a change of the profile moves. */
  readonly follows_zone: string | null
  /** The next time is the first one of the schedule after this. */
  readonly planned_from: string | null
  /** The next time by the schedule, or {@link due_at}. */
  readonly next_at: string | null
  /** {@link next_at}, later by its share of the spread. */
  readonly wake_at: string | null
  /** Further times that are made up for, oldest first. */
  readonly backlog: readonly string[]
  /** The execution that waits for a place. */
  readonly queued: string | null
  /** The execution at work. */
  readonly active: string | null
  readonly active_state: 'working' | 'waiting' | null
  /** The last execution that ended. */
  readonly last: {
    readonly execution_id: string
    readonly state: 'completed' | 'failed' | 'cancelled'
    readonly at: string
    readonly failure: TaskFailure | null
  } | null
  readonly counts: { readonly completed: number; readonly failed: number; readonly cancelled: number; readonly missed: number }
  /** What its owner was told by e-mail of its failures. Null: nothing, or they have changed the task since. */
  readonly failures_told: Told | null
  /** The oldest planned time for which no run has begun yet. */
  readonly unstarted_at: string | null
  /** When the next alarm is due, and about which planned time. Null: it was given, or there is none. */
  readonly alarm_at: string | null
  readonly alarm_for: string | null
  /** The newest planned time of an alarm, until a run begins in time. */
  readonly late: LateRun | null
  /** What its owner was told of such times. */
  readonly late_told: Told | null
  readonly created_at: string
  readonly updated_at: string
  /** When it reached a final status. */
  readonly ended_at: string | null
}

/** Of a task for which no run is expected. */
export const nothingExpected = { unstarted_at: null, alarm_at: null, alarm_for: null } as const

export const taskCollection = defineCollection<Task>()({
  name: 'tasks.tasks',
  version: 4,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_status: { fields: ['user_id', 'status', 'id'] },
    by_kind: { fields: ['user_id', 'kind', 'id'] },
    by_schedule: { fields: ['user_id', 'schedule.cron', 'id'] },
    by_agent: { fields: ['user_id', 'agent.id', 'id'] },
    by_wake: { fields: ['wake_at'] },
    by_zone: { fields: ['follows_zone', 'id'] },
    by_parent_task: { fields: ['parent.task_id', 'id'] },
    by_call: { fields: ['parent.call_id'] },
    by_end: { fields: ['ended_at'] },
    by_alarm: { fields: ['alarm_at'] },
    by_unstarted: { fields: ['unstarted_at'] },
  },
  migrations: [
    { to: 2, description: 'Tasks know whether guests made them.', migrate: (task) => ({ ...task, guests: null }) },
    {
      to: 3,
      description: 'Tasks know for which agents their runs work.',
      migrate: (task) => ({ ...task, callers: typeof task['creator_agent_id'] === 'string' ? [task['creator_agent_id']] : [] }),
    },
    {
      to: 4,
      description: 'Tasks know of failures and late runs what their owner was told.',
      migrate: (task) => ({ ...task, failures_told: null, ...nothingExpected, late: null, late_told: null }),
    },
  ],
})

const finalStatuses: ReadonlySet<TaskStatus> = new Set<TaskStatus>(['completed', 'failed', 'cancelled'])

/** Whether a status never changes by itself. */
export const isFinal = (status: TaskStatus): boolean => finalStatuses.has(status)

/** The status that the other members amount to. */
export function statusOf(task: Omit<Task, 'status'>): TaskStatus {
  if (task.active !== null) return task.active_state ?? 'working'
  if (task.cancelled_at !== null) return 'cancelled'
  if (task.paused) return 'paused'
  if (task.queued !== null) return 'queued'
  if (task.wake_at !== null) return 'scheduled'
  return task.last?.state ?? (task.problem ? 'failed' : 'scheduled')
}

/** The task with the status that it now has. */
export function settled(task: Task, now: string): Task {
  const status = statusOf(task)
  // What is paused or cancelled is not expected to run.
  const expected = task.paused || task.cancelled_at !== null ? nothingExpected : {}
  return { ...task, ...expected, status, updated_at: now, ended_at: isFinal(status) ? (task.ended_at ?? now) : null }
}
