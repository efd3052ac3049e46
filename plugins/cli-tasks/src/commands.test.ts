import type { JsonValue } from '@agent-service/sdk'
import { describeCliCommand } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { controlCommands } from './control-tasks.js'
import { listTasksCommand } from './list-tasks.js'
import { showLogsCommand } from './show-logs.js'
import { showTaskCommand } from './show-task.js'

const task = {
  ...{ id: 't1', status: 'scheduled', title: 'Invoices', instruction: 'Count them.', agent: { id: 'a1', handle: 'assistant' } },
  ...{ schedule: { cron: '0 9 * * *', timezone: 'Europe/Vienna' }, due_at: null, timezone: 'Europe/Vienna', problem: null },
  next_at: '2026-07-01T07:00:00.000Z',
}
const reminder = {
  ...{ ...task, id: 't2', title: 'Water', agent: null, schedule: null, due_at: '2026-07-01T07:00:00.000Z', timezone: null },
}
const execution = {
  ...{ id: 'e1', state: 'failed', started_at: '2026-06-30T07:00:01.000Z', ended_at: '2026-06-30T07:00:09.000Z', cost_usd: 0.0125 },
  failure: { code: 'task_model_failed', message: 'The model could not be called.' },
}
const answers: Readonly<Record<string, JsonValue>> = {
  'GET /api/tasks?limit=200': { items: [task], next_cursor: 'more' },
  'GET /api/tasks?limit=200&cursor=more': { items: [reminder], next_cursor: null },
  'GET /api/tasks?limit=200&status=failed': { items: [], next_cursor: null },
  'GET /api/tasks/t1': { ...task, next_times: [task.next_at], problem: { code: 'task_owner_gone', message: 'The account is closed.' } },
  'GET /api/tasks/t1/executions?limit=10': { items: [execution], next_cursor: null },
  'GET /api/tasks/t1/executions?limit=1': { items: [execution], next_cursor: null },
  'GET /api/tasks/t2/executions?limit=1': { items: [], next_cursor: null },
  'GET /api/tasks/t1/executions/e1/log': {
    entries: [
      { at: '2026-06-30T07:00:01.000Z', kind: 'state', text: 'running' },
      { at: '2026-06-30T07:00:09.000Z', kind: 'error', text: 'The model could not be called.' },
    ],
  },
  'POST /api/tasks/t1/run': { ...task, status: 'queued' },
  'POST /api/tasks/t1/pause': { ...task, status: 'paused', next_at: null },
  'POST /api/tasks/t1/resume': task,
  'POST /api/tasks/t1/cancel': { ...task, status: 'cancelled', next_at: null },
}
const answer = (method: string, at: string): JsonValue => answers[`${method} ${at}`] ?? null

describeCliCommand({
  name: 'tasks list',
  create: () => listTasksCommand,
  examples: [
    {
      title: 'all pages, with the next time in the zone of the task',
      answer,
      check({ lines, json }) {
        expect(lines).to.deep.equal([
          'ID  STATUS  AGENT  TIMES  NEXT  TITLE',
          't1  scheduled  assistant  0 9 * * *  2026-07-01 09:00 Europe/Vienna  Invoices',
          't2  scheduled    once, 2026-07-01 07:00:00  2026-07-01 07:00 UTC  Water',
        ])
        expect(json).to.deep.equal({ items: [task, reminder] })
      },
    },
    {
      title: 'that there are none of a status',
      answer,
      options: { status: 'failed' },
      check: ({ lines }) => expect(lines).to.deep.equal(['There are no tasks.']),
    },
  ],
})
describeCliCommand({
  name: 'tasks show',
  create: () => showTaskCommand,
  examples: [
    {
      title: 'what it does, its next times, its executions, and what keeps it from going on',
      arguments: ['t1'],
      answer,
      check({ lines, warnings }) {
        expect(lines).to.deep.equal([
          'Invoices',
          'scheduled, 0 9 * * *, agent assistant',
          'Count them.',
          'next: 2026-07-01 09:00 Europe/Vienna',
          'EXECUTION  STATE  STARTED  ENDED  COST  REASON',
          'e1  failed  2026-06-30 07:00:01  2026-06-30 07:00:09  $0.0125  The model could not be called.',
        ])
        expect(warnings).to.deep.equal(['The account is closed.'])
      },
    },
    {
      title: 'the time at which no run of it began, and why',
      arguments: ['t1'],
      answer: (method, at) =>
        at === '/api/tasks/t1'
          ? {
              ...task,
              next_times: [],
              late: { scheduled_for: '2026-06-30T07:00:00.000Z', code: 'no_place', message: 'It waits for a place.' },
            }
          : answer(method, at),
      check: ({ warnings }) => expect(warnings).to.deep.equal(['no run began at 2026-06-30 09:00 Europe/Vienna: It waits for a place.']),
    },
  ],
})
describeCliCommand({
  name: 'tasks logs',
  create: () => showLogsCommand,
  examples: [
    {
      title: 'the newest execution',
      arguments: ['t1'],
      answer,
      check: ({ lines }) =>
        expect(lines).to.deep.equal(['2026-06-30 07:00:01  state  running', '2026-06-30 07:00:09  error  The model could not be called.']),
    },
    {
      title: 'that it has not run yet',
      arguments: ['t2'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['The task has not run yet.']),
    },
  ],
})
for (const [index, [name, line]] of (
  [
    ['run', '“Invoices” is queued; its next time is 2026-07-01 09:00 Europe/Vienna.'],
    ['pause', '“Invoices” is paused.'],
    ['resume', '“Invoices” is scheduled; its next time is 2026-07-01 09:00 Europe/Vienna.'],
    ['cancel', '“Invoices” is cancelled.'],
  ] as const
).entries()) {
  const command = controlCommands[index]
  if (!command) throw new Error(`There is no command for ${name}.`)
  describeCliCommand({
    name: `tasks ${name}`,
    create: () => command,
    examples: [{ title: 'what the task is now', arguments: ['t1'], answer, check: ({ lines }) => expect(lines).to.deep.equal([line]) }],
  })
}
