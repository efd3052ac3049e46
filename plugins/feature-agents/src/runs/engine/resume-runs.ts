import type { Logger } from '@agent-service/sdk'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import { type Run, runCollection } from '../../store/runs/run.js'
import type { RunEntry } from './run-entry.js'

/**
 * How many resumed runs may be starting, before they wait for their model or their tools. The
 * others cost no memory yet.
 */
const maxStarting = 32

/** How resumed runs are handled. */
export interface RunKeeping {
  readonly database: Database
  readonly logger: Logger
  readonly policies: Pick<PolicyService, 'expectQuestions'>
  readonly isAnswered: (run: Run) => Promise<boolean>
  /** Whether this process keeps the run already. */
  isHere(runId: string): boolean
  admit(run: Run): RunEntry
  cancel(entry: RunEntry): void
  /** Lets the run wait for a person. */
  rest(entry: RunEntry, run: Run): void
  /** Queues the run. */
  queue(entry: RunEntry): void
}

/**
 * Finds every open run of the store. Resolves when this process keeps all of them. Each one that
 * has not ended by then continues after `ready` settles for it, a few at a time.
 */
export async function resumeRuns(keeping: RunKeeping, ready: (run: Run) => Promise<void>): Promise<void> {
  const { database, logger, policies, isAnswered, isHere, admit, cancel, rest, queue } = keeping
  const found: { readonly run: Run; readonly entry: RunEntry }[] = []
  for await (const run of openRuns(database)) {
    if (isHere(run.id)) continue
    // Each run asks the policies for its tools; the first one would otherwise wait for the policy
    // engine.
    if (found.length === 0) policies.expectQuestions()
    found.push({ run, entry: admit(run) })
  }
  if (found.length > 0) logger.info('Open runs are resumed.', { runs: found.length })

  const mayGo: RunEntry[] = []
  let onTheirWay = 0
  const releaseSlot = (): void => {
    while (onTheirWay < maxStarting) {
      const entry = mayGo.shift()
      if (!entry) return
      onTheirWay += 1
      queue(entry)
      void entry.underWay.then(() => {
        onTheirWay -= 1
        releaseSlot()
      })
    }
  }
  for (const { run, entry } of found) {
    if (run.cancel_requested_at !== null) {
      cancel(entry)
      continue
    }
    if (run.status === 'waiting' && !(await isAnswered(run))) {
      rest(entry, run)
      continue
    }
    if (run.status === 'waiting') entry.rested = run
    ready(run)
      .catch((error: unknown) => logger.warn('A run is resumed although a condition for it failed.', { run_id: run.id, error }))
      .then(() => {
        mayGo.push(entry)
        releaseSlot()
      })
  }
}

/** Every run of the store that has not ended, running ones first. */
async function* openRuns(database: Database): AsyncIterable<Run> {
  for (const status of ['running', 'waiting', 'queued'])
    yield* documentsOf(database, runCollection, { index: 'by_status', equals: [status], pageSize: 200 })
}
