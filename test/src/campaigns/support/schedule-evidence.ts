/** An execution, as the service shows it. */
export interface SeenExecution {
  readonly id: string
  readonly state: string
  readonly scheduled_for: string | null
  readonly represents: number
  readonly attempts: readonly { readonly run_id: string | null }[]
  readonly failure?: { readonly code: string; readonly message: string } | null
}

/** A paused task of a schedule whose times are every so many minutes, with all of its executions. */
export interface SeenSchedule {
  readonly id: string
  readonly missed: 'once' | 'skip' | 'all'
  readonly everyMs: number
  readonly createdAt: string
  /** The first time that is not due yet. */
  readonly nextAt: string
  /** Times that are still to be made up for. */
  readonly backlog: number
  /** What the task says that it collapsed or skipped. */
  readonly countedMissed: number
  readonly executions: readonly SeenExecution[]
}

/** Every time that was due, computed by arithmetic alone. */
export function dueTimesOf({ createdAt, nextAt, everyMs }: Pick<SeenSchedule, 'createdAt' | 'nextAt' | 'everyMs'>): readonly number[] {
  const first = (Math.floor(Date.parse(createdAt) / everyMs) + 1) * everyMs
  const times: number[] = []
  for (let time = first; time < Date.parse(nextAt); time += everyMs) times.push(time)
  return times
}

/**
 * What is wrong with the executions of a schedule: each due time must have happened once, be part of
 * the execution that stands for it, or be counted as what the task's policy leaves out.
 */
export function scheduleProblems(schedule: SeenSchedule): readonly string[] {
  const due = dueTimesOf(schedule)
  const problems = [...orderProblems(schedule), ...(schedule.missed === 'once' ? coverProblems(schedule, due) : sumProblems(schedule, due))]
  for (const { id, state, attempts, failure } of schedule.executions) {
    // What waits for a place when its task is paused goes on waiting.
    if (state !== 'completed' && state !== 'queued') problems.push(`execution ${id} is ${state}: ${failure?.code} ${failure?.message}`)
    if (attempts.length > 1) problems.push(`execution ${id} has ${attempts.length} attempts`)
  }
  return problems.map((problem) => `${schedule.id} (${schedule.missed}): ${problem}`)
}

const momentOf = ({ scheduled_for }: SeenExecution): number => Date.parse(scheduled_for ?? '')
const textOf = (moment: number): string => new Date(moment).toISOString()
const inOrder = (executions: readonly SeenExecution[]): readonly SeenExecution[] =>
  [...executions].sort((a, b) => momentOf(a) - momentOf(b))

function orderProblems({ executions, everyMs }: SeenSchedule): string[] {
  const times = executions.map(momentOf)
  const problems = times
    .filter((time) => time % everyMs !== 0)
    .map((time) => `an execution is for ${time}, which is no time of the schedule`)
  return new Set(times).size === times.length ? problems : [...problems, 'a time happened twice']
}

/** An execution stands for the times up to its own that no earlier one stands for. */
function coverProblems({ executions, backlog }: SeenSchedule, due: readonly number[]): readonly string[] {
  const problems: string[] = backlog === 0 ? [] : [`${backlog} times are in its backlog`]
  let reached = 0
  for (const execution of inOrder(executions)) {
    const place = due.indexOf(momentOf(execution))
    if (place + 1 - reached !== execution.represents)
      problems.push(
        `the execution of ${execution.scheduled_for} stands for ${execution.represents} times, and ${place + 1 - reached} had passed`,
      )
    reached = place + 1
  }
  if (reached < due.length) problems.push(`${due.length - reached} times from ${textOf(due[reached] ?? 0)} on are in no execution`)
  return problems
}

/** What has happened, what is to be made up for and what was left out are all that was due. */
function sumProblems({ executions, backlog, countedMissed, missed }: SeenSchedule, due: readonly number[]): readonly string[] {
  const stood = executions.reduce((sum, { represents }) => sum + represents, 0)
  const problems = executions
    .filter(({ represents }) => missed === 'all' && represents !== 1)
    .map(({ scheduled_for, represents }) => `the execution of ${scheduled_for} stands for ${represents} times`)
  if (stood + backlog + countedMissed === due.length) return problems
  return [
    ...problems,
    `${due.length} times were due: ${stood} happened, ${backlog} are in its backlog, ${countedMissed} are counted as missed`,
  ]
}
