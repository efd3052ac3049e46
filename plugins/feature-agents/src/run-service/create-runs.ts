import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import { requireOperation } from '@agent-service/sdk/services/policy'
import { type RunAnswer, type Runs, userUnknownError } from '@agent-service/sdk/services/runs'
import { ownDocument } from '../common/own-document.js'
import type { NewPost, Posted } from '../posting/post.js'
import type { RegenerateInput } from '../posting/regenerate-answer.js'
import type { ApprovalAnswers, GivenAnswer } from '../runs/approvals/approval-answers.js'
import type { RunGates } from '../runs/engine/run-gates.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import { chatCollection } from '../store/chats/chat.js'
import type { Approval } from '../store/runs/approval.js'
import { type Run, runCollection } from '../store/runs/run.js'
import { listRuns } from './list-runs.js'
import type { OrphanedRuns } from './orphaned-runs.js'
import { viewOf } from './run-view.js'
import { type InternalStart, type StartDependencies, startRun } from './start-run.js'
import { type WatchDependencies, watchRun } from './watch-run.js'

/** The dependencies of the service. */
export interface RunsDependencies extends StartDependencies, WatchDependencies {
  readonly database: StartDependencies['database']
  readonly clock: WatchDependencies['clock']
  readonly runs: WatchDependencies['runs'] & Pick<RunManager, 'cancel'>
  readonly answering: ApprovalAnswers
  readonly orphaned: Pick<OrphanedRuns, 'endWithParent'>
  readonly gates: Pick<RunGates, 'add'>
}

/** Identifies a run of a user. */
interface OwnRun {
  readonly userId: string
  readonly runId: string
}

/**
 * The service with the requests that only this plugin may make, and with the stored records. The
 * plugin's routes and tools have no other way to a run.
 */
export interface RunsWithin extends Runs {
  /** As {@link Runs.start}. */
  begin(request: InternalStart, signal?: AbortSignal): Promise<Posted>
  /**
   * Posts a message of a person, which begins a run or goes to the current one. @throws as
   * `Posting.post`.
   */
  post(input: NewPost): Promise<Posted>
  /** Answers a message of a person again, in a new branch. @throws as `Posting.post`. */
  regenerate(input: RegenerateInput): Promise<{ readonly run: Run }>
  /** As {@link Runs.get}. @throws `not_found`. */
  record(request: OwnRun): Promise<Run>
  /** As {@link Runs.cancel}. @throws `not_found`. */
  end(request: OwnRun, options: { readonly signal: AbortSignal }): Promise<Run>
  /** As {@link Runs.answer}. */
  decide(given: GivenAnswer): Promise<Approval>
}

export function createRuns(dependencies: RunsDependencies): RunsWithin {
  const { database, posting, answering } = dependencies
  const record = async ({ userId, runId }: OwnRun): Promise<Run> => {
    const run = ownDocument('run', await database.collection(runCollection).get(runId), userId)
    // A run of a deleted chat is not shown either.
    if ((await database.collection(chatCollection).get(run.chat_id))?.deleting) throw notFoundError.create({ what: 'run' })
    return run
  }
  const end = async (request: OwnRun, options: { readonly signal: AbortSignal }): Promise<Run> => {
    await record(request)
    return dependencies.runs.cancel(request.runId, options)
  }

  return {
    begin: (request, signal) => begin(dependencies, request, signal),
    post: (input) => posting.post(input),
    regenerate: (input) => posting.regenerate(input),
    record,
    end,
    async decide(given) {
      await record({ userId: given.by.userId, runId: given.runId })
      return answering.answer(given)
    },
    async start(request, { signal } = {}) {
      const { message, run, repeated } = await begin(dependencies, request, signal)
      return { run: await viewOf(database, run), messageId: message.id, repeated }
    },
    get: async (request) => viewOf(database, await record(request)),
    list: (request) => listRuns(database, request),
    watch: (request, { signal }) => watchRun(dependencies, request, signal),
    cancel: async (request, options) => viewOf(database, await end(request, options)),
    gate: (kind, gate) => dependencies.gates.add(kind, gate),
    async answer(request) {
      await answer({ ...dependencies, record }, request)
      return viewOf(database, await record(request))
    },
  }
}

async function begin(dependencies: RunsDependencies, request: InternalStart, signal: AbortSignal | undefined): Promise<Posted> {
  const posted = await startRun(dependencies, request, signal)
  if (!posted.repeated) dependencies.orphaned.endWithParent(posted.run)
  return posted
}

async function answer(
  { accounts, answering, policies, record }: RunsDependencies & Pick<RunsWithin, 'record'>,
  { userId, runId, callId, ...given }: { readonly userId: string; readonly runId: string; readonly callId: string } & RunAnswer,
): Promise<void> {
  const account = await accounts.get(userId)
  if (!account) throw userUnknownError.create({ userId })
  await requireOperation(policies, { userId, operation: 'answerApproval' })
  await record({ userId, runId })
  const note = given.decision === 'answer' ? given.answer : given.note
  const scope = given.decision === 'approve' ? given.scope : undefined
  await answering.answer({ by: { userId, username: account.username }, runId, callId, decision: given.decision, note, scope })
}
