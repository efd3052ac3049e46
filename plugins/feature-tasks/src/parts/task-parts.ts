import type { Logger } from '@agent-service/sdk'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { Notifications } from '@agent-service/sdk/services/notifications'
import type { Runs } from '@agent-service/sdk/services/runs'
import type { Sandbox } from '@agent-service/sdk/services/sandbox'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import type { LiveLogs } from './live-logs.js'
import type { TaskMetrics } from './task-metrics.js'

/** What everything that moves tasks depends on. */
export interface TaskParts {
  readonly database: Database
  readonly clock: Clock
  readonly events: Pick<Events, 'record'>
  /** Absent: the plugin that keeps them does not run. */
  readonly notifications: Pick<Notifications, 'send'> | undefined
  readonly accounts: Pick<Accounts, 'get' | 'ids'>
  readonly agents: Pick<Agents, 'list' | 'details'>
  readonly runs: Pick<Runs, 'start' | 'watch' | 'cancel' | 'get' | 'gate'>
  readonly sandbox: Pick<Sandbox, 'list' | 'find'> | undefined
  readonly files: UserFiles
  readonly metrics: TaskMetrics
  readonly live: LiveLogs
  readonly log: Logger
  readonly limits: TaskLimits
}

export interface TaskLimits {
  /** `server.max_concurrent_tasks`. */
  readonly maxConcurrent: number
  readonly maxConcurrentPerAgent: number
  /** `scheduler.poll_secs` in milliseconds. */
  readonly pollMs: number
  readonly maxOpenPerUser: number
  readonly maxSeconds: number
  readonly historyDays: number
  /** How long after its time a run is late, in milliseconds. */
  readonly lateMs: number
}

export const nowText = ({ clock }: Pick<TaskParts, 'clock'>): string => new Date(clock.now()).toISOString()
