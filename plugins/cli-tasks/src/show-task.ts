import { defineCommand, listOf, objectOf, shownTime } from '@agent-service/sdk/contracts/cli-command'
import { localTime, pathOf, timesOf } from './task-words.js'

/** Shows one task: what it does, its next times, and its latest executions. */
export const showTaskCommand = defineCommand({
  name: 'tasks show',
  summary: 'show a task, its next times and its latest executions',
  arguments: [{ name: 'task', description: 'the task, as “tasks list” lists it', required: true }],
  async run({ arguments: [id = ''], request, print, table, warn }) {
    const task = objectOf(await request('GET', pathOf(id)))
    const executions = objectOf(await request('GET', pathOf(id, '/executions?limit=10')))
    await print(String(task['title']), { style: 'bold' })
    await print(`${String(task['status'])}, ${timesOf(task)}, agent ${String(objectOf(task['agent'])['handle'] ?? 'none')}`)
    await print(String(task['instruction']))
    const { message } = objectOf(task['problem'])
    if (message !== undefined) await warn(String(message), { style: 'yellow' })
    const late = objectOf(task['late'])
    if (late['message'] !== undefined)
      await warn(`no run began at ${localTime(late['scheduled_for'], task['timezone'])}: ${String(late['message'])}`, { style: 'yellow' })
    for (const time of Array.isArray(task['next_times']) ? task['next_times'] : [])
      await print(`next: ${localTime(time, task['timezone'])}`)
    const items = listOf(executions['items'])
    if (items.length > 0)
      await table(
        [
          ['EXECUTION', 'STATE', 'STARTED', 'ENDED', 'COST', 'REASON'],
          ...items.map((execution) => [
            ...[
              String(execution['id']),
              String(execution['state']),
              shownTime(execution['started_at'], 'second'),
              shownTime(execution['ended_at'], 'second'),
            ],
            typeof execution['cost_usd'] === 'number' ? `$${execution['cost_usd'].toFixed(4)}` : '',
            String(objectOf(execution['failure'])['message'] ?? ''),
          ]),
        ],
        { whole: ['EXECUTION', 'STATE'] },
      )
    return { status: 0, json: { task, executions: [...items] } }
  },
})
