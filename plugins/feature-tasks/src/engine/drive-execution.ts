import { modelGroupUnknownError } from '@agent-service/sdk/services/inference'
import type { Run, RunEvent, StartRunRequest } from '@agent-service/sdk/services/runs'
import type { TaskParts } from '../parts/task-parts.js'
import { type Attempt, type Execution, executionCollection, executionKind, isEnded, moved, type Order } from '../store/execution.js'
import { saveTask } from '../store/save-task.js'
import { type Task, taskCollection } from '../store/task.js'
import { cancelTask } from '../tasks/control-task.js'
import { textOf } from '../times/plan-task.js'
import { type Ending, endExecution } from './end-execution.js'
import { endProcesses } from './end-processes.js'
import { endingOfError, endingOfFailure } from './failures.js'
import { giveDueAlarm, isAlarmDue, lateNow, withBegunRun } from './late-runs.js'

/**
 * Brings an execution that has a place to its end: starts its run, or finds the one that it started
 * before a crash, and follows it. Every step is stored before the next, and each can be repeated.
 * Returns the lane in which something waits now. @throws the signal's reason; the execution then
 * goes on in the next process.
 */
export async function driveExecution(parts: TaskParts, id: string, signal: AbortSignal): Promise<string | null> {
  const ending = await carryOut(parts, id, signal).finally(() => parts.live.end(id))
  signal.throwIfAborted()
  if (!ending) return null
  const ended = await endExecution(parts, id, ending)
  if (ended && isEnded(ended.execution)) {
    await endChildren(parts, ended.execution)
    if (ended.execution.state !== 'completed') await endProcesses(parts, ended.execution)
  }
  return ended?.lane ?? null
}

async function carryOut(parts: TaskParts, id: string, signal: AbortSignal): Promise<Ending | undefined> {
  const execution = await parts.database.collection(executionCollection).get(id)
  if (!execution || isEnded(execution) || execution.state === 'queued') return undefined
  try {
    const runId = await startedRun(parts, execution, signal)
    return runId === undefined ? cancelled(execution) : await followed(parts, execution, runId, signal)
  } catch (error) {
    signal.throwIfAborted()
    parts.log.warn('A run of a task could not be started or followed.', { execution: id, error })
    return endingOfError(error)
  }
}

/** Cancels the tasks that its calls waited for. Their runs end with the run above them. */
async function endChildren(parts: TaskParts, { id, user_id }: Execution): Promise<void> {
  const { items } = await parts.database.collection(executionCollection).query({ index: 'by_parent', equals: [id], limit: 200 })
  for (const child of items.filter((each) => !isEnded(each)))
    await cancelTask(parts, user_id, child.task_id, 'The task that waited for this one has ended.')
}

const cancelled = ({ cancel }: Execution): Ending => ({
  state: 'cancelled',
  failure: { code: 'task_cancelled', message: cancel?.reason ?? 'The task was cancelled.' },
})

/** The run of the present attempt; `undefined` if it was cancelled before it began. */
async function startedRun(parts: TaskParts, execution: Execution, signal: AbortSignal): Promise<string | undefined> {
  const attempt = execution.attempts.at(-1)
  if (attempt?.run_id) return attempt.run_id
  if (execution.cancel || !attempt || !execution.order) return undefined
  const task = await parts.database.collection(taskCollection).get(execution.task_id)
  if (!task) return undefined
  const run = await startRun(parts, { task, execution, attempt, order: execution.order }, signal)
  await recordRun(parts, execution.id, run)
  return run.id
}

async function startRun(
  parts: TaskParts,
  at: { readonly task: Task; readonly execution: Execution; readonly attempt: Attempt; readonly order: Order },
  signal: AbortSignal,
): Promise<Run> {
  const { task, execution, attempt, order } = at
  const forWhom = { ...(task.guests && { guests: task.guests }), ...(task.callers.length > 0 && { callers: task.callers }) }
  const request = {
    userId: execution.user_id,
    key: attempt.key,
    agent: { id: order.agent_id },
    chat: { title: order.title, hidden: true, ...forWhom },
    message: order.message,
    ...(order.model_group === null ? {} : { modelGroup: order.model_group }),
    ...(order.tools === null ? {} : { tools: order.tools }),
    limits: { maxSeconds: order.max_seconds },
    ...(order.result === null ? {} : { result: order.result }),
    reportsTo: { kind: executionKind, id: execution.id },
    ...placeBelow(task),
  }
  try {
    return (await parts.runs.start(request, { signal })).run
  } catch (error) {
    if (!modelGroupUnknownError.isInstance(error) || order.model_group === null) throw error
    const warning = `The model group “${order.model_group}” does not exist, so the agent’s own is used.`
    return startRun(parts, await withoutGroup(parts, at, warning), signal)
  }
}

/** What a run is below: of a task for which a call waits its run, else only how deep it is. */
function placeBelow({ parent }: Task): Pick<StartRunRequest, 'parent' | 'depth'> {
  if (parent === null) return {}
  return parent.waits ? { parent: { runId: parent.run_id, callId: parent.call_id } } : { depth: parent.depth }
}

/** Stored before the run begins, so that a repeated start is the same request. */
async function withoutGroup(
  { database }: TaskParts,
  at: { readonly task: Task; readonly execution: Execution; readonly attempt: Attempt; readonly order: Order },
  warning: string,
): Promise<typeof at> {
  return database.transaction(async (transaction) => {
    const current = (await transaction.get(executionCollection, at.execution.id)) ?? at.execution
    const order: Order = { ...at.order, model_group: null }
    const attempt: Attempt = { ...at.attempt, key: `${at.attempt.key}/own-group` }
    const attempts = current.attempts.map((each) => (each.number === attempt.number ? attempt : each))
    const execution: Execution = { ...current, order, attempts, warnings: [...current.warnings, warning] }
    transaction.put(executionCollection, execution)
    return { ...at, execution, attempt, order }
  })
}

async function recordRun(parts: TaskParts, id: string, run: Run): Promise<void> {
  const { database, clock, events, metrics } = parts
  const late = await database.transaction(async (transaction) => {
    const execution = await transaction.get(executionCollection, id)
    const task = execution && (await transaction.get(taskCollection, execution.task_id))
    if (!task || isEnded(execution) || execution.attempts.at(-1)?.run_id !== null) return undefined
    const now = textOf(clock.now())
    const attempts = execution.attempts.map((attempt, index) =>
      index === execution.attempts.length - 1 ? { ...attempt, run_id: run.id, chat_id: run.chatId } : attempt,
    )
    // It may wait already.
    const running: Execution = { ...(execution.state === 'starting' ? moved(execution, 'running', now) : execution), attempts }
    transaction.put(executionCollection, running)
    // It may begin late before the job has noticed.
    const told = isAlarmDue(task, now) ? await giveDueAlarm(parts, transaction, task) : task
    await saveTask(transaction, events, { before: task, after: withBegunRun(told, execution), now, execution: running })
    return lateNow(task, told)
  })
  metrics.late(late)
}

/** Follows a run to its end, and says what that means. */
async function followed(parts: TaskParts, execution: Execution, runId: string, signal: AbortSignal): Promise<Ending> {
  const { runs, database, live } = parts
  const { user_id: userId, id } = execution
  // A cancellation that was stored before the run was known is carried out here, a later one by who asks for it.
  const known = await database.collection(executionCollection).get(id)
  if (known?.cancel) await runs.cancel({ userId, runId }, { signal })
  const failedTools = new Map<string, true>()
  live.begin(id)
  for await (const event of runs.watch({ userId, runId }, { signal })) {
    live.add(id, event)
    noteTool(failedTools, event)
    if (event.type !== 'finished') continue
    const stored = (await database.collection(executionCollection).get(id)) ?? execution
    const task = await database.collection(taskCollection).get(execution.task_id)
    return endingOf(event, { cancel: stored.cancel, failedTools: task?.tool_failures === 'allow' ? [] : [...failedTools.keys()] })
  }
  throw new Error(`The stream of the run ${runId} ended without its end.`)
}

/** Tools whose last call failed. */
function noteTool(failed: Map<string, true>, event: RunEvent): void {
  if (event.type !== 'tool.finished') return
  if (event.isError) failed.set(event.name, true)
  else failed.delete(event.name)
}

function endingOf(
  { run, text }: Extract<RunEvent, { readonly type: 'finished' }>,
  { cancel, failedTools }: { readonly cancel: Execution['cancel']; readonly failedTools: readonly string[] },
): Ending {
  if (run.status === 'failed') return { ...endingOfFailure(run), answer: text }
  if (run.status === 'cancelled') {
    const message = cancel?.reason ?? 'Its run was stopped.'
    return { state: 'cancelled', failure: { code: 'task_cancelled', message }, run, answer: text }
  }
  if (failedTools.length === 0) return { state: 'completed', run, answer: text }
  const names = failedTools.map((name) => `“${name}”`).join(', ')
  const message = `The agent came to an end, but the last call of ${names} failed, so the work may not be done. Its answer and log say more.`
  return { state: 'failed', failure: { code: 'task_tool_failed', message }, run, answer: text }
}
