import { requireOperation } from '@agent-service/sdk/services/policy'
import { type RunAnswer, type Runs, userUnknownError } from '@agent-service/sdk/services/runs'
import { ownDocument } from '../common/own-document.js'
import type { Posted } from '../posting/post.js'
import type { Answering } from '../runs/approvals/answering.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import { type Run, runCollection } from '../store/runs/run.js'
import { listRuns } from './list-runs.js'
import { viewOf } from './run-view.js'
import { type InternalStart, type StartDependencies, startRun } from './start-run.js'
import type { UnwantedRuns } from './unwanted-runs.js'
import { type WatchDependencies, watchRun } from './watch-run.js'

/** What the service is made with. */
export interface RunsDependencies extends StartDependencies, WatchDependencies {
  readonly database: StartDependencies['database']
  readonly clock: WatchDependencies['clock']
  readonly runs: WatchDependencies['runs'] & Pick<RunManager, 'cancel'>
  readonly answering: Answering
  readonly unwanted: Pick<UnwantedRuns, 'endWithParent'>
}

/** The service, with what this plugin itself needs of it beside. */
export interface RunsWithin extends Runs {
  /** As {@link Runs.start}, with what only this plugin may ask for, and the records themselves. */
  begin(request: InternalStart, signal?: AbortSignal): Promise<Posted>
}

export function createRuns(dependencies: RunsDependencies): RunsWithin {
  const { database } = dependencies
  const own = async ({ userId, runId }: { readonly userId: string; readonly runId: string }): Promise<Run> =>
    ownDocument('run', await database.collection(runCollection).get(runId), userId)

  return {
    begin: (request, signal) => begin(dependencies, request, signal),
    async start(request, { signal } = {}) {
      const { message, run, repeated } = await begin(dependencies, request, signal)
      return { run: await viewOf(database, run), messageId: message.id, repeated }
    },
    get: async (request) => viewOf(database, await own(request)),
    list: (request) => listRuns(database, request),
    watch: (request, { signal }) => watchRun(dependencies, request, signal),
    async cancel(request, { signal }) {
      await own(request)
      return viewOf(database, await dependencies.runs.cancel(request.runId, { signal }))
    },
    async answer(request) {
      await answer(dependencies, request)
      return viewOf(database, await own(request))
    },
  }
}

async function begin(dependencies: RunsDependencies, request: InternalStart, signal: AbortSignal | undefined): Promise<Posted> {
  const posted = await startRun(dependencies, request, signal)
  if (!posted.repeated) dependencies.unwanted.endWithParent(posted.run)
  return posted
}

async function answer(
  { accounts, answering, policies }: RunsDependencies,
  { userId, runId, callId, ...given }: { readonly userId: string; readonly runId: string; readonly callId: string } & RunAnswer,
): Promise<void> {
  const account = await accounts.get(userId)
  if (!account) throw userUnknownError.create({ userId })
  await requireOperation(policies, { userId, operation: 'answerApproval' })
  const note = given.decision === 'answer' ? given.answer : given.note
  await answering.answer({ by: { userId, username: account.username }, runId, callId, decision: given.decision, note })
}
