import type { Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { type Agent, agentCollection } from '../agents/agent.js'
import type { LiveMessage } from './live-message.js'
import { isFinished, type Run, runCollection } from './run.js'
import type { RunDriver } from './run-driver.js'
import type { RunLog } from './run-log.js'
import type { RunSession } from './run-session.js'

/** How often a run may bring the process down at the same step before it is set aside. */
const maximumAttempts = 3

/** Keeps the runs of this process: begins them, ends them, takes up those that an earlier process left. */
export interface RunManager {
  /** Drives a stored, queued run. Returns at once. */
  begin(run: Run): void
  /** Asks a run to stop and waits until it has, at most as long as the signal. @throws `not_found`. */
  cancel(runId: string, options: { readonly signal: AbortSignal }): Promise<Run>
  /** The message that a run is writing right now. */
  liveMessage(runId: string): LiveMessage | undefined
  /** How many runs of a user are queued or going on here. */
  countOf(userId: string): number
  /** Takes up every open run of the store. */
  resumeAll(): Promise<void>
  /** Stops driving: every run stays where its log ends and is taken up at the next start. */
  park(): Promise<void>
}

interface Driven {
  readonly session: RunSession
  readonly controller: AbortController
  readonly ended: Promise<void>
}

export function createRunManager(dependencies: {
  readonly database: Database
  readonly accounts: Accounts
  readonly clock: Clock
  readonly log: RunLog
  readonly driver: RunDriver
  readonly logger: Logger
  /** How many runs go on at once; the others wait in the order in which they came. */
  readonly maximumConcurrent: number
}): RunManager {
  const { database, accounts, clock, log, driver, logger, maximumConcurrent } = dependencies
  const runs = database.collection(runCollection)
  const agents = database.collection(agentCollection)
  const driven = new Map<string, Driven>()
  const waiting: Run[] = []
  const starting = new Set<Promise<void>>()
  let parked = false

  const startNext = (): void => {
    while (!parked && driven.size + starting.size < maximumConcurrent) {
      const run = waiting.shift()
      if (!run) return
      const start = takeUp(run)
        .catch((error: unknown) => logger.error('A run could not be taken up.', { run_id: run.id, error }))
        .finally(() => {
          starting.delete(start)
          startNext()
        })
      starting.add(start)
    }
  }

  /** Makes this process the run's driver: a new epoch, which every driver before it is refused with. */
  const takeUp = async (queued: Run): Promise<void> => {
    const agent = await agents.get(queued.agent_id)
    const account = await accounts.get(queued.user_id)
    const run = await database.transaction(async (transaction) => {
      const current = await transaction.get(runCollection, queued.id)
      if (!current || isFinished(current)) return undefined
      const taken: Run = { ...current, epoch: current.epoch + 1, attempts: current.attempts + 1 }
      transaction.put(runCollection, taken)
      return taken
    })
    if (!run || parked) return
    const steps = run.step_count === 0 ? [] : (await log.read(run.id)).map((step) => step.body)
    const controller = new AbortController()
    const session: RunSession = {
      run,
      steps,
      agent: agent ?? absentAgent(run),
      account: account ?? { id: run.user_id, username: '', handle: '', role: 'user', timezone: 'UTC' },
      history: undefined,
      live: undefined,
      partial: [],
      signal: controller.signal,
      stopCause: undefined,
    }
    const refusal =
      run.attempts > maximumAttempts
        ? { code: 'run_poisoned', message: `The service went down ${maximumAttempts} times at the same step of this run, so it was set aside.` }
        : !agent
          ? { code: 'agent_gone', message: 'The agent of this chat was deleted. Go on with another agent.' }
          : !account
            ? { code: 'account_closed', message: 'The account of this chat is closed.' }
            : undefined
    const ended = (refusal ? driver.refuse(session, refusal) : driver.drive(session))
      .catch((error: unknown) => logger.error('A run could not be driven on. It is taken up at the next start.', { run_id: run.id, error }))
      .finally(() => {
        driven.delete(run.id)
        startNext()
      })
    driven.set(run.id, { session, controller, ended })
    if (run.cancel_requested_at !== null) stop(run.id, 'cancel')
  }

  const stop = (runId: string, cause: 'cancel' | 'park'): void => {
    const entry = driven.get(runId)
    if (!entry || entry.session.stopCause) return
    entry.session.stopCause = cause
    entry.controller.abort(new DOMException(cause === 'cancel' ? 'The run was cancelled.' : 'The service is stopping.', 'AbortError'))
  }

  return {
    begin(run) {
      waiting.push(run)
      startNext()
    },

    async cancel(runId, { signal }) {
      // Remembered first, so that a crash before the confirmation does not bring the run back to life.
      const run = await database.transaction(async (transaction) => {
        const current = await transaction.get(runCollection, runId)
        if (!current) throw notFoundError.create({ what: 'run' })
        if (isFinished(current) || current.cancel_requested_at !== null) return current
        const marked: Run = { ...current, cancel_requested_at: new Date(clock.now()).toISOString() }
        transaction.put(runCollection, marked)
        return marked
      })
      if (isFinished(run)) return run
      await Promise.all(starting)
      const queued = waiting.findIndex((candidate) => candidate.id === runId)
      if (queued >= 0) {
        waiting.splice(queued, 1)
        await takeUp(run)
      }
      stop(runId, 'cancel')
      const entry = driven.get(runId)
      if (entry) await Promise.race([entry.ended, aborted(signal)])
      return (await runs.get(runId)) ?? run
    },

    liveMessage: (runId) => driven.get(runId)?.session.live,

    countOf: (userId) =>
      [...driven.values()].filter(({ session }) => session.run.user_id === userId).length + waiting.filter((run) => run.user_id === userId).length,

    async resumeAll() {
      for (const status of ['running', 'waiting', 'queued'] as const) {
        let cursor: string | undefined
        do {
          const page = await runs.query({ index: 'by_status', equals: [status], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
          for (const run of page.items) waiting.push(run)
          cursor = page.nextCursor
        } while (cursor !== undefined)
      }
      if (waiting.length > 0) logger.info('Runs that were open are taken up.', { runs: waiting.length })
      startNext()
    },

    async park() {
      parked = true
      waiting.length = 0
      await Promise.all(starting)
      for (const runId of driven.keys()) stop(runId, 'park')
      await Promise.all([...driven.values()].map(({ ended }) => ended))
    },
  }
}

/** Stands in where the agent is gone, so that the run can be ended in order. */
function absentAgent(run: Run): Agent {
  return {
    id: run.agent_id,
    user_id: run.user_id,
    handle: '',
    name: '',
    description: '',
    instructions: '',
    model_group: run.model_group,
    tools: [],
    skills: [],
    memory: { enabled: false },
    sandbox: { network: false },
    approval: {},
    enabled: false,
    created_at: run.created_at,
    updated_at: run.created_at,
  }
}

/** Resolves when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
