import { definePlugin, type Plugin, type PluginContext } from '@agent-service/sdk'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { agentsService } from '@agent-service/sdk/services/agents'
import { auditService } from '@agent-service/sdk/services/audit'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { deploymentService } from '@agent-service/sdk/services/deployment'
import { eventsService } from '@agent-service/sdk/services/events'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { notificationsService } from '@agent-service/sdk/services/notifications'
import { policyService } from '@agent-service/sdk/services/policy'
import { runsService } from '@agent-service/sdk/services/runs'
import { sandboxService } from '@agent-service/sdk/services/sandbox'
import { usageService } from '@agent-service/sdk/services/usage'
import { userFilesService } from '@agent-service/sdk/services/user-files'
import { createLateJob } from './alarms.js'
import { settingsOf, settingsSchema, type TaskSettings } from './configuration.js'
import { panels } from './console-panels.js'
import { createLateCheck } from './doctor.js'
import { createTaskEngine, type TaskEngine } from './engine/task-engine.js'
import { eventTypes } from './event-types.js'
import { createFollowZonesJob, createPruneJob } from './jobs.js'
import { taskKindsOfNotifications } from './notifications/task-kinds.js'
import { createLiveLogs } from './parts/live-logs.js'
import { createTaskMetrics } from './parts/task-metrics.js'
import type { TaskParts } from './parts/task-parts.js'
import { createExecutionRoutes } from './routes/execution-routes.js'
import { createTaskRoutes } from './routes/task-routes.js'
import { executionKind } from './store/execution.js'
import { createTaskService } from './tasks/task-service.js'
import { createCreateTaskTool } from './tools/create-task-tool.js'
import { createTaskTools } from './tools/task-tools.js'
import { collections, createTaskUserData, noTaskUserData } from './user-data.js'

/** Background tasks of agents: at once, at a time, again and again, and standing instructions. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-tasks',
    apiVersion: 1,
    description: 'Background tasks, schedules, reminders and heartbeats of agents.',
    contributes: ['console.panel', 'doctor.check', 'http.route', 'scheduler.job', 'tool', 'user.data'],
    requires: ['agents', 'runs'],
    optional: ['notifications', 'sandbox', 'usage'],
    config: settingsSchema,
    routes: ['/api/schedules', '/api/tasks'],
    tags: {
      tasks: 'Work of agents in the background: tasks with their times, executions, history and results, reminders, and heartbeats.',
    },
    events: eventTypes,
    storage: { uses: ['workspaces'] },
  },
  collections: [...collections],
  async setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    // `agent-service doctor` has no tasks to look at while no service runs.
    if (!context.use(databaseService, { optional: true })) {
      context.contribute(doctorChecks, createLateCheck(undefined))
      context.contribute(userData, noTaskUserData)
      return
    }
    const { parts, engine, reportLate } = openEngine(context)
    context.contribute(doctorChecks, createLateCheck(parts))
    const usage = context.use(usageService)
    const { database, clock, accounts } = parts
    const tasks = createTaskService({
      ...{ parts, engine, audit: context.use(auditService) },
      costOf: async (userId, chatId) => usage?.costOfChat({ userId, chatId }),
    })
    context.onDispose(parts.runs.gate(executionKind, engine.gate))
    context.onStopping(() => engine.end())
    for (const route of [...createTaskRoutes(tasks), ...createExecutionRoutes(tasks, { accounts, clock })])
      context.contribute(httpRoutes, route)
    context.contribute(tools, createCreateTaskTool({ parts, engine, tasks, policies: context.use(policyService) }))
    for (const tool of createTaskTools(tasks, clock)) context.contribute(tools, tool)
    context.contribute(
      schedulerJobs,
      createFollowZonesJob(parts, () => engine.wake()),
    )
    context.contribute(schedulerJobs, createPruneJob(parts))
    context.contribute(schedulerJobs, createLateJob(parts, reportLate))
    context.contribute(
      userData,
      createTaskUserData({ ...parts, database }, (id) => engine.stopRun(id)),
    )
    engine.wake()
  },
})
export default plugin

function openEngine(context: PluginContext<TaskSettings>): {
  readonly parts: TaskParts
  readonly engine: TaskEngine
  readonly reportLate: (count: number) => void
} {
  const { log } = context
  const config = settingsOf(context.config)
  const deployment = context.use(deploymentService)
  const notifications = context.use(notificationsService)
  for (const kind of taskKindsOfNotifications) if (notifications) context.onDispose(notifications.declare(kind))
  let late = 0
  const reportLate = (count: number): void => {
    late = count
  }
  const counts: { read: TaskEngine['counts'] } = { read: () => ({ atWork: 0, queuedLanes: 0 }) }
  const parts: TaskParts = {
    ...{ database: context.use(databaseService), clock: context.use(clockService), events: context.use(eventsService) },
    ...{ accounts: context.use(accountsService), agents: context.use(agentsService), runs: context.use(runsService) },
    ...{ notifications, sandbox: context.use(sandboxService), files: context.use(userFilesService), live: createLiveLogs(), log },
    metrics: createTaskMetrics(context.use(metricsService), () => ({
      ...{ ...counts.read(), max: deployment.maxConcurrentTasks, late },
    })),
    limits: {
      ...{ maxConcurrent: deployment.maxConcurrentTasks, maxConcurrentPerAgent: config.max_concurrent_per_agent },
      ...{ pollMs: deployment.pollMs, maxOpenPerUser: config.max_open_per_user, maxSeconds: config.max_seconds },
      ...{ historyDays: config.history_days, lateMs: config.late_secs * 1_000 },
    },
  }
  const engine = createTaskEngine(parts)
  counts.read = () => engine.counts()
  return { parts, engine, reportLate }
}
