import { type CliCommand, defineCommand, objectOf } from '@agent-service/sdk/contracts/cli-command'
import { localTime, pathOf } from './task-words.js'

const control = (what: 'run' | 'pause' | 'resume' | 'cancel', summary: string): CliCommand =>
  defineCommand({
    name: `tasks ${what}`,
    summary,
    arguments: [{ name: 'task', description: 'the task, as “tasks list” lists it', required: true }],
    async run({ arguments: [id = ''], request, print }) {
      const task = objectOf(await request('POST', pathOf(id, `/${what}`)))
      const next = localTime(task['next_at'], task['timezone'])
      await print(`“${String(task['title'])}” is ${String(task['status'])}${next === '' ? '' : `; its next time is ${next}`}.`)
      return { status: 0, json: task }
    },
  })

/** What a person does with one task. */
export const controlCommands: readonly CliCommand[] = [
  control('run', 'run a task now'),
  control('pause', 'pause a task: none of its times counts until it is resumed'),
  control('resume', 'resume a paused task'),
  control('cancel', 'cancel a task, with what is at work and its processes'),
]
