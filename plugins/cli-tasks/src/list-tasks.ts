import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { defineCommand, listOf, objectOf } from '@agent-service/sdk/contracts/cli-command'
import { localTime, timesOf } from './task-words.js'

const maxListed = 1_000

/** Lists the person's tasks, the newest first. */
export const listTasksCommand = defineCommand({
  name: 'tasks list',
  summary: 'list your background tasks, reminders and heartbeats',
  options: [
    {
      name: 'status',
      description: 'only those: scheduled, queued, working, waiting, paused, completed, failed or cancelled',
      value: 'status',
    },
    { name: 'kind', description: 'only those: task, reminder or heartbeat', value: 'kind' },
  ],
  async run({ options, request, print, table }) {
    const items: JsonObject[] = []
    let cursor: JsonValue | undefined
    do {
      const query = new URLSearchParams({ limit: '200' })
      for (const name of ['status', 'kind']) if (typeof options[name] === 'string') query.set(name, options[name])
      if (typeof cursor === 'string') query.set('cursor', cursor)
      const page = objectOf(await request('GET', `/api/tasks?${query}`))
      items.push(...listOf(page['items']))
      cursor = page['next_cursor']
    } while (typeof cursor === 'string' && items.length < maxListed)
    if (items.length === 0) await print('There are no tasks.')
    else await table([['ID', 'STATUS', 'AGENT', 'TIMES', 'NEXT', 'TITLE'], ...items.map(rowOf)], { whole: ['ID', 'STATUS'] })
    return { status: 0, json: { items } }
  },
})

const rowOf = (task: JsonObject): readonly string[] => [
  ...[String(task['id']), String(task['status']), String(objectOf(task['agent'])['handle'] ?? ''), timesOf(task)],
  ...[localTime(task['next_at'], task['timezone']), String(task['title'])],
]
