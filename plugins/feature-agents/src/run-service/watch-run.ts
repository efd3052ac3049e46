import { sleep } from '@agent-service/sdk/async'
import type { StopReason } from '@agent-service/sdk/contracts/provider-adapter'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { AnswerFallback } from '@agent-service/sdk/services/inference'
import { type RunEvent, runCursorInvalidError, runWatchInterruptedError } from '@agent-service/sdk/services/runs'
import { ownDocument } from '../common/own-document.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import type { RunLog } from '../runs/log/run-log.js'
import type { TransitionEvent } from '../runs/log/transition.js'
import type { RunWatchers, Watch } from '../runs/streaming/run-watchers.js'
import { listenerTooSlowError, type WatchedItem } from '../runs/streaming/watch-queue.js'
import { type Message, messageCollection } from '../store/chats/message.js'
import { isFinished, type Run, runCollection } from '../store/runs/run.js'
import type { RunStep } from '../store/runs/run-step.js'
import { type AnswerText, createAnswerText } from './answer-text.js'
import { questionsOf, viewOf } from './run-view.js'
import { cursorOf, indexOf, plainEventOf } from './step-event.js'

/** How often a run of another process is read, in milliseconds. */
const pollIntervalMs = 1_000

/** The dependencies for watching. */
export interface WatchDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Pick<RunLog, 'read'>
  readonly runs: Pick<RunManager, 'ended' | 'liveMessage' | 'wake' | 'isParked'>
  readonly watchers: Pick<RunWatchers, 'watch'>
}

/** The state of one watch. */
interface Follower {
  readonly runId: string
  readonly userId: string
  /** The index of the next step to report. */
  next: number
  answer: AnswerText
  /** The growing message, according to the steps, and the last complete one. */
  open: string | undefined
  whole: Message | undefined
  stopReason: StopReason
  /** Of the last message that another model wrote than the wanted one. */
  fallback: AnswerFallback | undefined
  waiting: boolean
  /** The purposes of calls, by call id. */
  readonly purposes: Map<string, string>
}

/**
 * Follows a run to its end. The log of the run is the source; reports within this process only make
 * it faster, and add growing text. A follower that does not keep up starts again at its position,
 * with the state. @throws `not_found`, `run_cursor_invalid`, `run_interrupted`, the signal's
 * reason.
 */
export async function* watchRun(
  dependencies: WatchDependencies,
  { userId, runId, after }: { readonly userId: string; readonly runId: string; readonly after?: string },
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, undefined> {
  const run = ownDocument('run', await dependencies.database.collection(runCollection).get(runId), userId)
  let next = 0
  if (after !== undefined) {
    const index = indexOf(after)
    if (index === undefined || index >= run.step_count) throw runCursorInvalidError.create({ cursor: after })
    next = index + 1
  }
  for (;;) {
    const follower = { runId, userId, next, ...fresh(), purposes: new Map<string, string>() }
    const watch = dependencies.watchers.watch(runId)
    try {
      yield* follow(dependencies, follower, watch, signal)
      return
    } catch (error) {
      if (!listenerTooSlowError.isInstance(error)) throw error
      next = follower.next
    } finally {
      watch.close()
    }
  }
}

const fresh = (): Pick<Follower, 'answer' | 'open' | 'whole' | 'stopReason' | 'fallback' | 'waiting'> => ({
  answer: createAnswerText(),
  open: undefined,
  whole: undefined,
  stopReason: 'stop',
  fallback: undefined,
  waiting: false,
})

async function* follow(
  dependencies: WatchDependencies,
  follower: Follower,
  watch: Watch,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, undefined> {
  const { database, log, runs, clock } = dependencies
  const { runId, userId } = follower
  const stored = async (): Promise<Run> => ownDocument('run', await database.collection(runCollection).get(runId), userId)
  const endWithRun = (): void => void runs.ended(runId).then(watch.end)

  // Listening has begun: everything from here on is either reported or in the state that is read
  // now.
  const steps = await log.read(runId)
  const run = await stored()
  for (const step of steps) await advance(dependencies, follower, step)
  const live = runs.liveMessage(runId)
  if (live !== undefined && live.messageId === follower.open) follower.answer.grow(live.messageId, live.view())
  follower.waiting = run.status === 'waiting'
  yield { type: 'state', run: await viewOf(database, run), text: follower.answer.text(), reasoning: follower.answer.reasoning() }
  for (const step of steps.slice(follower.next)) {
    yield* eventsOf(dependencies, follower, step)
    if (step.body.type === 'run.finished') return
  }
  follower.next = Math.max(follower.next, steps.length)
  if (isGone(run, steps)) return

  endWithRun()
  for (;;) {
    const item = await watch.next(signal)
    if (item !== 'ended') {
      if (yield* take(dependencies, follower, item)) return
      continue
    }
    // This process no longer drives the run: it has ended, another process drives it, or the
    // service stops.
    if (yield* takeSteps(dependencies, follower, await log.read(runId, follower.next))) return
    if (runs.isParked()) throw runWatchInterruptedError.create({ runId })
    await sleep(pollIntervalMs, { signal, clock })
    const current = await stored()
    if (!isFinished(current)) runs.wake(current)
    endWithRun()
  }
}

/** Whether a run ended before ends were recorded as steps. */
const isGone = (run: Run, steps: readonly RunStep[]): boolean => isFinished(run) && run.step_count === steps.length

/** Yields the events of an item. Returns whether the run has ended with it. */
async function* take(dependencies: WatchDependencies, follower: Follower, item: WatchedItem): AsyncGenerator<RunEvent, boolean, undefined> {
  if (item.kind === 'delta') {
    yield* follower.answer.take(item.event)
    return false
  }
  for (const note of item.notes) yield* noteEvents(follower, note)
  const [first] = item.steps
  const missing = first && first.index > follower.next ? await dependencies.log.read(follower.runId, follower.next) : item.steps
  if (yield* takeSteps(dependencies, follower, missing)) return true
  const waits = item.run.status === 'waiting'
  if (waits && !follower.waiting) {
    const questions = await questionsOf(dependencies.database, item.run)
    if (questions.length > 0) yield { type: 'waiting', questions }
  }
  follower.waiting = waits
  return false
}

function* noteEvents(follower: Follower, note: TransitionEvent): Generator<RunEvent, void, undefined> {
  const { name, data } = note
  if (name === 'tool_call.started') follower.purposes.set(String(data['call_id']), String(data['purpose']))
  else yield* follower.answer.take(note)
  if (name !== 'run.retrying') return
  const [failure, reason] = [String(data['failure'] ?? ''), String(data['reason'] ?? '')]
  yield { type: 'retrying', failure, reason, delayMs: Number(data['delay_ms'] ?? 0) }
}

async function* takeSteps(
  dependencies: WatchDependencies,
  follower: Follower,
  steps: readonly RunStep[],
): AsyncGenerator<RunEvent, boolean, undefined> {
  for (const step of steps) {
    if (step.index < follower.next) continue
    yield* await advance(dependencies, follower, step)
    yield* eventsOf(dependencies, follower, step)
    follower.next = step.index + 1
    if (step.body.type === 'run.finished') return true
  }
  return false
}

/** Updates the follower by a step, and returns the text events of that step. */
async function advance({ database }: WatchDependencies, follower: Follower, { body }: RunStep): Promise<readonly RunEvent[]> {
  const messages = database.collection(messageCollection)
  switch (body.type) {
    case 'model.requested':
      follower.open = body.message_id
      return []
    case 'model.completed':
      follower.stopReason = body.stop_reason
      break
    case 'model.failed':
    case 'run.finished':
      break
    default:
      return []
  }
  const { open } = follower
  follower.open = undefined
  follower.whole = open === undefined ? undefined : await messages.get(open)
  follower.fallback = follower.whole?.fallback ?? follower.fallback
  return follower.whole ? follower.answer.complete(follower.whole) : []
}

/** The stored event of a step. */
async function* eventsOf({ database }: WatchDependencies, follower: Follower, step: RunStep): AsyncGenerator<RunEvent, void, undefined> {
  const { body, at } = step
  const place = { cursor: cursorOf(step), at }
  if (body.type === 'model.completed' || body.type === 'model.failed') {
    const known = follower.whole?.id === body.message_id
    const message = known ? follower.whole : await database.collection(messageCollection).get(body.message_id)
    const textOf = (kind: 'text' | 'reasoning'): string =>
      (message?.content ?? []).map((part) => (part.type === kind && 'text' in part ? part.text : '')).join('')
    const partial = body.type === 'model.failed'
    yield {
      type: 'message',
      ...place,
      messageId: body.message_id,
      turn: body.turn,
      partial,
      text: textOf('text'),
      reasoning: textOf('reasoning'),
      ...(message?.fallback && { fallback: message.fallback }),
    }
  } else if (body.type === 'run.finished') {
    const run = ownDocument('run', await database.collection(runCollection).get(follower.runId), follower.userId)
    const { answer, stopReason, fallback } = follower
    yield {
      ...{ type: 'finished', ...place, run: await viewOf(database, run), text: answer.text(), reasoning: answer.reasoning(), stopReason },
      ...(fallback && { fallback }),
    }
  } else {
    const callId = body.type === 'tool.started' ? body.call_id : undefined
    const event = plainEventOf(step, callId === undefined ? undefined : follower.purposes.get(callId))
    if (callId !== undefined) follower.purposes.delete(callId)
    if (event) yield event
  }
}
