import type { Execution } from '../store/execution.js'
import type { Task } from '../store/task.js'

/** What the agent reads: the instruction, and that nobody is there to talk to. */
export function messageOf(task: Task, execution: Pick<Execution, 'scheduled_for' | 'represents'>): string {
  return [frameOf(task, execution), task.instruction].join('\n\n')
}

function frameOf(
  { kind, title, schedule, zone }: Task,
  { scheduled_for, represents }: Pick<Execution, 'scheduled_for' | 'represents'>,
): string {
  const time = schedule && scheduled_for ? ` It is for ${scheduled_for} (schedule “${schedule.cron}”, ${zone ?? 'UTC'}).` : ''
  const missed = represents > 1 ? ` ${represents - 1} earlier times were missed; this once stands for all of them.` : ''
  if (kind === 'heartbeat')
    return `This is your standing instruction “${title}”, looked at on a schedule.${time} The person is not in the conversation. If nothing needs their attention, report null.`
  return `This is the background task “${title}”.${time}${missed} The person is not in the conversation: do the work, and end with its outcome. If you cannot do it, say plainly that and why.`
}
