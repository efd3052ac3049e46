import { defineCommand, listOf, objectOf, shownTime } from '@agent-service/sdk/contracts/cli-command'
import { pathOf } from './task-words.js'

/** Shows what happened in an execution of a task. */
export const showLogsCommand = defineCommand({
  name: 'tasks logs',
  summary: 'show what happened in an execution of a task, by default the newest one',
  arguments: [
    { name: 'task', description: 'the task, as “tasks list” lists it', required: true },
    { name: 'execution', description: 'the execution, as “tasks show” lists it', required: false },
  ],
  async run({ arguments: [id = '', wanted], request, print, warn }) {
    const newest = wanted ?? listOf(objectOf(await request('GET', pathOf(id, '/executions?limit=1')))['items'])[0]?.['id']
    if (typeof newest !== 'string') {
      await print('The task has not run yet.')
      return { status: 0, json: { items: [] } }
    }
    const items = listOf(objectOf(await request('GET', pathOf(id, `/executions/${encodeURIComponent(newest)}/log`)))['entries'])
    for (const { at, kind, text } of items) {
      const line = `${shownTime(at, 'second')}  ${String(kind)}  ${String(text)}`
      if (kind === 'error' || kind === 'warning') await print(line, { style: kind === 'error' ? 'red' : 'yellow' })
      else await print(line)
    }
    if (items.length === 0) await warn('Nothing is stored of this execution.')
    return { status: 0, json: { execution_id: newest, items: [...items] } }
  },
})
