import type { ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { messageCollection } from '../../store/chats/message.js'
import type { Approval } from '../../store/runs/approval.js'
import type { AskPerson } from '../approvals/ask-person.js'
import type { ToolAccess } from '../approvals/tool-access.js'
import { type NextAction, openToolTurn, type PendingCall } from '../log/plan-next.js'
import { inputWaitingError, type RunLog } from '../log/run-log.js'
import { joinTransitions, type Transition } from '../log/transition.js'
import { advance, type RunSession, refreshAccount } from '../session/run-session.js'
import { refusalOf } from './refused-call.js'
import { repetitionOf } from './repeated-call.js'
import { answeredTransition, notRun, type OpenCall, placeOf, resultsOf, resultTransition, stopped } from './tool-calls.js'
import { createToolProgress } from './tool-progress.js'
import { failedResult, readResultName } from './tool-results.js'
import type { ToolRunner } from './tool-runner.js'

/** How many calls of one turn run at the same time. */
const maximumAtOnce = 16

/** The tool calls of one turn: each is decided about, announced before it runs and recorded when it has ended. */
export interface ToolTurn {
  /** Runs what may run. Where a person has to be asked first, the run waits for them. */
  run(session: RunSession, action: Extract<NextAction, { kind: 'run-tools' }>): Promise<void>
  /** All calls have ended, the last one with a process that went down right behind it, or without running: their results become one message. */
  answer(session: RunSession, action: Extract<NextAction, { kind: 'answer-tools' }>): Promise<void>
  /**
   * For a run that ends in the middle of its tool calls: a result for every call, so that what was done is not forgotten and what is not known is
   * called so. `undefined` when there is nothing to settle.
   */
  settle(session: RunSession): Promise<Transition | undefined>
}

export function createToolTurn(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly accounts: Pick<Accounts, 'get'>
  readonly log: RunLog
  readonly runner: ToolRunner
  readonly access: ToolAccess
  readonly person: AskPerson
  /** What the results of one turn may take of the window of a model group, in tokens. Default: as much as can be stored. */
  readonly resultRoom?: (modelGroup: string) => number
}): ToolTurn {
  const { database, events, accounts, log, runner, access, person, resultRoom } = dependencies
  const messages = database.collection(messageCollection)

  const callsOf = async (calls: readonly PendingCall[]): Promise<readonly OpenCall[]> => {
    const result: OpenCall[] = []
    for (const pending of calls) {
      const part = (await messages.get(pending.message_id))?.content[pending.part]
      if (part?.type !== 'tool_call') throw new Error(`The call ${pending.call_id} is not in the message ${pending.message_id}.`)
      result.push({ pending, call: part })
    }
    return result
  }

  const runOne = async (session: RunSession, { pending, call }: OpenCall, calls: number): Promise<ToolResultPart> => {
    const { run, account, agent, signal } = session
    const progress = createToolProgress({ session, events, call: pending })
    const answer = pending.answer?.outcome === 'answered' ? (pending.answer.note ?? '') : undefined
    try {
      const result = await runner.run(
        call,
        {
          runId: run.id,
          chatId: run.chat_id,
          userId: run.user_id,
          userHandle: account.handle,
          agentId: agent.id,
          agentHandle: agent.handle,
          workspace: agent.workspace,
          depth: run.parent?.depth ?? 0,
          timezone: account.timezone,
          ...(answer === undefined ? {} : { answer }),
          progress: async (update) => progress.report(update),
        },
        {
          allowed: [...agent.tools, readResultName],
          calls,
          ...(resultRoom && { roomTokens: resultRoom(run.model_group) }),
          again: pending.state === 'started',
          span: session.span,
          signal,
        },
      )
      return withNote(result, pending)
    } finally {
      progress.close()
    }
  }

  const begin = async (session: RunSession, calls: readonly OpenCall[]): Promise<void> => {
    const fresh = calls.filter(({ pending }) => pending.state !== 'started')
    if (fresh.length === 0) return
    await advance(session, log, {
      steps: fresh.map(({ pending }) => ({ type: 'tool.started', call_id: pending.call_id, name: pending.name })),
      events: () =>
        fresh.map(({ pending, call }) => ({
          name: 'tool_call.started',
          data: { ...placeOf(pending), arguments: call.arguments, purpose: runner.purpose(call) },
        })),
    })
  }

  /** Stores a result; the last one of its turn together with the message that all results of the turn become. */
  const record = async (session: RunSession, { pending }: OpenCall, result: ToolResultPart): Promise<void> => {
    const open = openToolTurn(session.steps)
    const isLast = open?.calls.length === 1 && open.calls[0]?.call_id === pending.call_id
    if (!open || !isLast) return advance(session, log, resultTransition(pending, result))
    const content = resultsOf(session, new Map([[pending.call_id, result]]))
    await advance(session, log, joinTransitions(resultTransition(pending, result), answeredTransition(session, open.turn, content)))
    session.history?.push({ role: 'tool', content })
  }

  const runTogether = async (session: RunSession, calls: readonly OpenCall[], planned: number): Promise<void> => {
    // A call before these may have changed it.
    await refreshAccount(session, accounts)
    await begin(session, calls)
    session.reportUnderWay()
    // Recorded one after the other, in the order in which they end. One that cannot be recorded does not keep the others from it.
    let recording: Promise<void> = Promise.resolve()
    const ended = await Promise.allSettled(
      calls.map(async (call) => {
        const result = await runOne(session, call, planned)
        const recorded = recording.then(() => record(session, call, result))
        recording = recorded.catch(() => undefined)
        await recorded
      }),
    )
    const failure = ended.find((outcome) => outcome.status === 'rejected')
    if (failure) throw failure.reason
  }

  /** Decides about every call that nobody has decided about: some are refused at once, about some a person is asked. */
  const decide = async (session: RunSession, calls: readonly OpenCall[]): Promise<void> => {
    const { run, agent, signal } = session
    const refused: Transition[] = []
    const asking: Approval[] = []
    for (const { pending, call } of calls) {
      if (pending.state !== 'planned') continue
      const repetition = repetitionOf(session.steps, pending.call_id)
      if (repetition !== undefined) {
        refused.push(resultTransition(pending, failedResult(call, repetition)))
        continue
      }
      const decision = await access.decide({ run, agent }, pending, call, { signal })
      if (decision.kind === 'refused') refused.push(resultTransition(pending, failedResult(call, decision.reason)))
      if (decision.kind === 'ask') asking.push(decision.approval)
    }
    signal.throwIfAborted()
    if (refused.length > 0) await advance(session, log, refused.reduce(joinTransitions))
    if (asking.length > 0) await person.ask(session, asking)
  }

  /** The calls of the open turn as they stand now; what the model sent does not change. */
  const openNow = (session: RunSession, known: readonly OpenCall[]): readonly OpenCall[] =>
    (openToolTurn(session.steps)?.calls ?? []).flatMap((pending) => {
      const call = known.find((candidate) => candidate.pending.call_id === pending.call_id)?.call
      return call ? [{ pending, call }] : []
    })

  /** Gives the calls that a person did not let run their results. */
  const turnDown = async (session: RunSession, calls: readonly OpenCall[]): Promise<void> => {
    const results = calls.flatMap(({ pending, call }) => {
      const text = refusalOf(pending, session.steps)
      return text === undefined ? [] : [resultTransition(pending, failedResult(call, text))]
    })
    if (results.length > 0) await advance(session, log, results.reduce(joinTransitions))
  }

  /** Those that may still begin. Policies can change while a person thinks, and while calls wait for those before them (`waited`). */
  const confirmed = async (session: RunSession, calls: readonly OpenCall[], waited: boolean): Promise<readonly OpenCall[]> => {
    const { agent, signal } = session
    const kept: OpenCall[] = []
    const refused: Transition[] = []
    for (const open of calls) {
      const { pending, call } = open
      const isDue = pending.state !== 'started' && (waited || pending.answer !== undefined)
      const decision = isDue ? await access.confirm({ agent }, pending, call, { signal }) : undefined
      if (decision?.kind === 'refused') refused.push(resultTransition(pending, failedResult(call, decision.reason)))
      else kept.push(open)
    }
    if (refused.length > 0) await advance(session, log, refused.reduce(joinTransitions))
    return kept
  }

  const isOpenQuestion = ({ pending }: OpenCall): boolean => pending.state === 'asked' && pending.answer === undefined

  return {
    async run(session, action) {
      const known = await callsOf(action.calls)
      await decide(session, known)
      const asked = openNow(session, known).filter(isOpenQuestion)
      try {
        if (asked.length > 0)
          await person.takeAnswers(
            session,
            asked.map(({ pending }) => pending),
          )
        await turnDown(session, openNow(session, known))
        const calls = openNow(session, known)
        const planned = openToolTurn(session.steps)?.planned ?? calls.length
        const together = runner.mayRunTogether(calls.map(({ call }) => call.name))
        // One after the other means that nothing overtakes a call about which a person is being asked.
        const firstOpen = calls.findIndex(isOpenQuestion)
        const ready = together || firstOpen === -1 ? calls.filter((call) => !isOpenQuestion(call)) : calls.slice(0, firstOpen)
        const size = together ? maximumAtOnce : 1
        for (let start = 0; start < ready.length; start += size) {
          session.signal.throwIfAborted()
          const next = await confirmed(session, ready.slice(start, start + size), start > 0)
          if (next.length > 0) await runTogether(session, next, planned)
        }
        if (firstOpen !== -1) await person.rest(session)
      } catch (error) {
        // An answer came in the meantime: it is taken in at the next look.
        if (!inputWaitingError.isInstance(error)) throw error
      }
    },

    async answer(session, { turn }) {
      const content = resultsOf(session, new Map())
      await advance(session, log, answeredTransition(session, turn, content))
      session.history?.push({ role: 'tool', content })
    },

    async settle(session) {
      const open = openToolTurn(session.steps)
      if (!open) return undefined
      const settled = (await callsOf(open.calls)).map(({ pending, call }) => ({
        pending,
        result: pending.state === 'started' ? stopped(call, runner.effectOf(call.name) !== 'read') : notRun(call),
      }))
      const content = resultsOf(session, new Map(settled.map(({ pending, result }) => [pending.call_id, result])))
      return [
        ...settled.map(({ pending, result }) => resultTransition(pending, result)),
        answeredTransition(session, open.turn, content),
        person.withdraw(open.calls.filter((pending) => pending.state === 'asked')),
      ].reduce(joinTransitions)
    },
  }
}

/** What a person wrote when they let a call run reaches the model with its result. */
const withNote = (result: ToolResultPart, { answer }: PendingCall): ToolResultPart =>
  answer?.outcome === 'approved' && answer.note !== null && answer.note !== ''
    ? { ...result, content: [...result.content, { type: 'text', text: `The person let this call run and wrote: ${answer.note}` }] }
    : result
