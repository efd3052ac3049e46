import type { Logger } from '@agent-service/sdk'
import type { ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { Inference, InferenceEvent, InferenceRequest } from '@agent-service/sdk/services/inference'
import { saysSomething } from '../../common/says-something.js'
import { toModelMessages } from '../../context/history.js'
import type { ForeignSchemas } from '../../foreign-schemas/foreign-schemas.js'
import { createAnswerMask } from '../../points/hooks/answer-mask.js'
import { modelAnswerVetoedError, modelCallVetoedError } from '../../points/hooks/errors.js'
import { hookContextOf } from '../../points/hooks/run-ended.js'
import type { RunHooks } from '../../points/hooks/run-hooks.js'
import type { Agent } from '../../store/agents/agent.js'
import type { Message } from '../../store/chats/message.js'
import type { AnnouncedCall } from '../../store/runs/fresh-run.js'
import { inputWaitingError, type RunLog, runSupersededError } from '../log/run-log.js'
import { joinTransitions, type Transition } from '../log/transition.js'
import { type Answer, brokenTransition, callIdAt, completedTransition, describeFailure } from '../log/turn-records.js'
import type { ModelPrompt } from '../prompt/model-prompt.js'
import { endingTransition, type RunEnding } from '../session/run-ending.js'
import { advance, type RunSession, readerOf } from '../session/run-session.js'
import { createLiveMessage } from '../streaming/live-message.js'
import type { RunWatchers } from '../streaming/run-watchers.js'
import { askModel } from './ask-model.js'
import { mayCorrect, readResult, refusedTransition, resultFailure } from './check-result.js'
import { nonEmptyAnswer } from './empty-answer.js'
import { readModelStream } from './model-stream.js'
import { wasWithoutTools } from './without-tools.js'

/** The dependencies of model calls. */
export interface ModelTurnDependencies {
  readonly database: Database
  readonly events: Events
  readonly accounts: Pick<Accounts, 'get'>
  readonly inference: Inference
  readonly prompt: ModelPrompt
  readonly log: RunLog
  readonly logger: Logger
  readonly foreignSchemas: ForeignSchemas
  /** States whether shown text may be retracted. Default: always. */
  readonly watchers?: Pick<RunWatchers, 'areRetractionsForbidden'>
  /** Default: none. */
  readonly hooks?: Pick<RunHooks, 'has' | 'beforeModelCall' | 'afterModelCall' | 'maskAnswer' | 'answerMasks'>
}

/**
 * Makes an announced call and records its result. An answer without tool calls and an answer that
 * broke off end the run in the same transition. Rejects when the session is stopped, and with
 * errors of the store.
 */
export async function makeCall(dependencies: ModelTurnDependencies, session: RunSession, call: AnnouncedCall): Promise<void> {
  const { database, events, log, hooks } = dependencies
  const { turn, messageId, tools, history } = call
  const { run, signal } = session
  session.history = [...history]
  session.lostCalls = []
  session.fallback = undefined
  const live = createLiveMessage({
    ids: { messageId, chatId: run.chat_id, runId: run.id, userId: run.user_id },
    events,
    throttle: session.throttle,
    callId: (part) => callIdAt(run.id, turn, part),
  })
  session.live = live
  session.reportUnderWay()
  try {
    if (hooks?.has('beforeModelCall')) {
      const asked = { ...hookContextOf(session), turn, modelGroup: run.model_group, messages: call.messages, tools }
      const refusal = await hooks.beforeModelCall(asked, signal)
      if (refusal) throw modelCallVetoedError.create(refusal)
    }
    const stream = streamOf(dependencies, session, call)
    const isNews = async (): Promise<boolean> => !(await wasWithoutTools(database, run, messageId))
    const mask = hooks && createAnswerMask(hooks, { ...hookContextOf(session), turn }, signal)
    const answer = await readModelStream({ session, log, live, turn, stream, mask, isNews })
    if (hooks?.has('afterModelCall')) {
      const refusal = await hooks.afterModelCall({ ...hookContextOf(session), turn, ...answer }, signal)
      if (refusal) {
        // The shown text is retracted: the message stays empty.
        live.reset()
        throw modelAnswerVetoedError.create(refusal)
      }
    }
    live.close()
    const completed = completedTransition(session.run, turn, messageId, answer)
    const callsTools = answer.content.some((part) => part.type === 'tool_call')
    const correction = callsTools ? await advance(session, log, completed) : await conclude(dependencies, session, answer, completed, turn)
    session.history.push({ role: 'assistant', content: answer.content })
    if (correction) session.history.push(...(toModelMessages([correction], readerOf(session)) as ModelMessage[]))
  } catch (error) {
    live.close()
    session.partial = live.content().filter((part) => part.type === 'reasoning' || saysSomething(part))
    await reportFailure(dependencies, session, call, error)
  } finally {
    session.live = undefined
  }
}

/** The stream of the model's answer, which begins when it is read. */
function streamOf(
  { inference, watchers }: ModelTurnDependencies,
  { run, agent, span, signal }: RunSession,
  { messages, tools, lostCalls }: AnnouncedCall,
): AsyncIterable<InferenceEvent> {
  const attribution = { userId: run.user_id, agentId: run.agent_id, chatId: run.chat_id, runId: run.id }
  const once = watchers?.areRetractionsForbidden(run.chat_id) === true
  const wanted = run.terms?.result
  const request: InferenceRequest = {
    group: run.model_group,
    messages,
    tools,
    attribution,
    ...settingsOf(agent, inference, run.model_group),
    ...(span && { span }),
    ...(once && { restarts: 'never' }),
    ...(lostCalls && { lostCalls }),
    ...(wanted && tools.length === 0 && { responseSchema: wanted }),
  }
  return nonEmptyAnswer(() => askModel(inference, request, signal), { mayRetract: !once })
}

/**
 * Records a failed call: the run ends with it, unless the conversation was too long for the first
 * time. @throws errors that are not failures of the call.
 */
async function reportFailure(
  { log, logger }: ModelTurnDependencies,
  session: RunSession,
  { turn, messageId }: AnnouncedCall,
  error: unknown,
): Promise<void> {
  if (session.signal.aborted || runSupersededError.isInstance(error)) throw error
  const failure = describeFailure(error)
  if (failure.code === 'context_overflow' && !hasOverflowed(session, turn)) {
    session.partial = []
    await advance(session, log, { steps: [{ type: 'model.overflowed', turn, message_id: messageId, message: failure.message }] })
    return
  }
  logger.warn('A model call failed.', { run_id: session.run.id, turn, error })
  const broken = brokenTransition(turn, messageId, session, failure)
  await advance(session, log, joinTransitions(broken, endingTransition(session, { status: 'failed', failure })))
}

/**
 * An answer without tool calls ends the run. An answer without the requested form is followed by a
 * correction, as often as allowed.
 */
async function conclude(
  { log, foreignSchemas }: Pick<ModelTurnDependencies, 'log' | 'foreignSchemas'>,
  session: RunSession,
  answer: Answer,
  completed: Transition,
  turn: number,
): Promise<Message | undefined> {
  const wanted = session.run.terms?.result
  if (!wanted) {
    await endUnlessInput(log, session, completed, { status: 'completed' })
    return undefined
  }
  const read = await readResult(wanted, answer, foreignSchemas, { userId: session.run.user_id, signal: session.signal })
  if ('value' in read) {
    await endUnlessInput(log, session, completed, { status: 'completed', result: { value: read.value } })
    return undefined
  }
  if (mayCorrect(session.steps)) {
    const refused = refusedTransition(session.run, turn, read.problems)
    await advance(session, log, joinTransitions(completed, refused))
    return refused.message()
  }
  await advance(
    session,
    log,
    joinTransitions(completed, endingTransition(session, { status: 'failed', failure: resultFailure(read.problems) })),
  )
  return undefined
}

/** The answer ends the run, unless the person has written meanwhile. */
async function endUnlessInput(log: RunLog, session: RunSession, completed: Transition, ending: RunEnding): Promise<void> {
  try {
    await advance(session, log, joinTransitions(completed, endingTransition(session, ending)))
  } catch (error) {
    if (!inputWaitingError.isInstance(error)) throw error
    await advance(session, log, completed)
  }
}

/** The settings of a call by the agent's limits; a group's own limit is never raised. */
function settingsOf({ limits }: Agent, inference: Inference, modelGroup: string): { readonly settings?: { readonly max_tokens: number } } {
  const wanted = limits.max_output_tokens
  if (wanted === undefined) return {}
  const group = inference.groups().find(({ name }) => name === modelGroup)
  return { settings: { max_tokens: Math.min(wanted, group?.max_tokens ?? wanted) } }
}

const hasOverflowed = ({ steps }: RunSession, turn: number): boolean =>
  steps.some((step) => step.type === 'model.overflowed' && step.turn === turn)
