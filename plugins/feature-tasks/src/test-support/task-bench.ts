import type { Logger } from '@agent-service/sdk'
import type { Account } from '@agent-service/sdk/services/accounts'
import type { AgentSummary } from '@agent-service/sdk/services/agents'
import type { Database } from '@agent-service/sdk/services/database'
import {
  createFakeAudit,
  createFakeEvents,
  createFakeMetrics,
  createFakeNotifications,
  createFakeUserFiles,
  createMemoryDatabase,
  createTestClock,
  type MemoryDatabase,
} from '@agent-service/sdk/testing'
import { createTaskEngine, type TaskEngine } from '../engine/task-engine.js'
import { createLiveLogs } from '../parts/live-logs.js'
import { createTaskMetrics } from '../parts/task-metrics.js'
import type { TaskLimits, TaskParts } from '../parts/task-parts.js'
import { type Execution, executionCollection, executionKind } from '../store/execution.js'
import { leaseCollection } from '../store/lease.js'
import { type Task, taskCollection } from '../store/task.js'
import { createTaskService, type TaskService } from '../tasks/task-service.js'
import { collections } from '../user-data.js'
import { type ControlledRuns, createControlledRuns } from './controlled-runs.js'

/** Tasks over a store and runs that outlive a crash. */
export interface TaskBench {
  readonly clock: ReturnType<typeof createTestClock>
  readonly events: ReturnType<typeof createFakeEvents>
  readonly notifications: ReturnType<typeof createFakeNotifications>
  readonly files: ReturnType<typeof createFakeUserFiles>
  readonly runs: ControlledRuns
  readonly database: MemoryDatabase
  readonly errors: readonly unknown[]
  readonly accounts: Map<string, Account>
  readonly agents: Map<string, AgentSummary[]>
  readonly processes: { readonly stopped: string[]; readonly running: { readonly id: string; readonly chatId: string }[] }
  /** Of the present process. */
  engine(): TaskEngine
  tasks(): TaskService
  parts(): TaskParts
  /** The present process ends without a word, and another one begins. */
  restart(): Promise<void>
  /** Everything that can happen now has happened. */
  settle(): Promise<void>
  advance(milliseconds: number): Promise<void>
  task(id: string): Promise<Task>
  executions(taskId: string): Promise<readonly Execution[]>
  leases(): Promise<number>
  close(): Promise<void>
}

export const account = (id: string, timezone = 'UTC'): Account => ({ id, username: id, handle: id, role: 'user', timezone })

export const agent = (id: string, handle = id): AgentSummary => ({
  ...{ id, handle, name: handle, description: '' },
  createdAt: '2026-01-01T00:00:00.000Z',
})

const defaults: TaskLimits = {
  ...{ maxConcurrent: 10, maxConcurrentPerAgent: 10, pollMs: 60_000, maxOpenPerUser: 100_000, maxSeconds: 3_600 },
  ...{ historyDays: 90, lateMs: 300_000 },
}

export function createTaskBench(
  options: { readonly limits?: Partial<TaskLimits>; readonly now?: number; readonly wrap?: (database: Database) => Database } = {},
): TaskBench {
  const clock = createTestClock(options.now)
  const events = createFakeEvents()
  const notifications = createFakeNotifications()
  const files = createFakeUserFiles()
  const runs = createControlledRuns()
  const store = createMemoryDatabase(collections)
  const errors: unknown[] = []
  const accounts = new Map([['ada', account('ada')]])
  const agents = new Map([['ada', [agent('ada-agent', 'assistant')]]])
  const processes: TaskBench['processes'] = { stopped: [], running: [] }
  const log: Logger = {
    ...{ debug: () => undefined, info: () => undefined, warn: () => undefined },
    error: (message, fields) => void errors.push({ message, ...fields }),
    child: () => log,
  }
  const open = (): { readonly parts: TaskParts; readonly engine: TaskEngine; readonly tasks: TaskService } => {
    const parts: TaskParts = {
      ...{ database: options.wrap?.(store) ?? store, clock, events, notifications, files, log, runs, live: createLiveLogs() },
      accounts: { get: async (id) => accounts.get(id), ids: async ({ limit }) => ({ ids: [...accounts.keys()].slice(0, limit) }) },
      agents: {
        list: async (userId) => agents.get(userId) ?? [],
        details: async (userId, id) => {
          const found = agents.get(userId)?.find((each) => each.id === id)
          const rest = { enabled: true, skills: [], sandbox: { network: true }, modelGroup: 'primary', memory: { enabled: true } }
          return found && { ...found, ...rest, workspace: found.handle }
        },
      },
      sandbox: {
        list: () => processes.running.map((process) => viewOf(process)),
        find: (_, id) => ({ stop: async () => void processes.stopped.push(id) }) as never,
      },
      metrics: createTaskMetrics(createFakeMetrics(), () => ({ atWork: 0, queuedLanes: 0, max: 0, late: 0 })),
      limits: { ...defaults, ...options.limits },
    }
    const engine = createTaskEngine(parts)
    runs.gate(executionKind, engine.gate)
    const tasks = createTaskService({ parts, engine, audit: createFakeAudit(), costOf: async () => ({ usd: 0.25, unpricedCalls: 0 }) })
    return { parts, engine, tasks }
  }
  let present = open()
  const bench: TaskBench = {
    ...{ clock, events, notifications, files, runs, database: store, errors, accounts, agents, processes },
    engine: () => present.engine,
    tasks: () => present.tasks,
    parts: () => present.parts,
    async restart() {
      await present.engine.end()
      present = open()
      await present.engine.begin()
      await bench.settle()
    },
    async settle() {
      // What runs emit reaches the store within a few turns; a pass then finds it.
      for (let turn = 0; turn < 5; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve))
        await present.engine.settled()
      }
    },
    async advance(milliseconds) {
      await clock.advance(milliseconds)
      await bench.settle()
    },
    async task(id) {
      const task = await store.collection(taskCollection).get(id)
      if (!task) throw new Error(`There is no task ${id}.`)
      return task
    },
    async executions(taskId) {
      return (await store.collection(executionCollection).query({ index: 'by_task', equals: [taskId], limit: 200 })).items
    },
    leases: async () => (await store.collection(leaseCollection).query({ index: 'by_kind', equals: ['all'], limit: 200 })).items.length,
    close: () => present.engine.end(),
  }
  return bench
}

const viewOf = ({ id, chatId }: { readonly id: string; readonly chatId: string }) => ({
  ...{ id, chatId, callers: [], principal: { userId: 'ada', kind: 'agent', id: 'ada-agent', workspace: 'assistant' } as never },
  ...({ kind: 'shell', title: id, background: true, terminal: false, startedAt: 0, endedAt: null, exit: null, outputBytes: 0 } as const),
})
