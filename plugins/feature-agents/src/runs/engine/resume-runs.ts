import type { Logger } from '@agent-service/sdk'
import type { Database } from '@agent-service/sdk/services/database'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import { type Run, runCollection } from '../../store/runs/run.js'
import type { RunEntry } from './run-entry.js'

/** How many runs are on their way to their model or their tools at the same time: the first are there soon, and the others cost no memory yet. */
const maxStarting = 32

/** What is done with runs that an earlier process left. */
export interface RunKeeping {
  readonly database: Database
  readonly logger: Logger
  readonly policies: Pick<PolicyService, 'expectQuestions'>
  readonly isAnswered: (run: Run) => Promise<boolean>
  /** Whether this process has it already. */
  isHere(runId: string): boolean
  admit(run: Run): RunEntry
  cancel(entry: RunEntry): void
  /** It waits for a person. */
  rest(entry: RunEntry, run: Run): void
  /** It may have its turn. */
  queue(entry: RunEntry): void
}

/**
 * Looks up every open run of the store. Resolves when all are known to this process; each that has not been ended by then goes on once `ready`
 * resolves for it, or fails, a few at a time.
 */
export async function resumeRuns(keeping: RunKeeping, ready: (run: Run) => Promise<void>): Promise<void> {
  const { database, logger, policies, isAnswered, isHere, admit, cancel, rest, queue } = keeping
  const found: { readonly run: Run; readonly entry: RunEntry }[] = []
  for await (const run of openRuns(database)) {
    if (isHere(run.id)) continue
    // Each will ask which tools it may have, and the first would wait until somebody can answer.
    if (found.length === 0) policies.expectQuestions()
    found.push({ run, entry: admit(run) })
  }
  if (found.length > 0) logger.info('Runs that were open are taken up.', { runs: found.length })

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
    ready(run)
      .catch((error: unknown) => logger.warn('A run is taken up although something it waited for failed.', { run_id: run.id, error }))
      .then(() => {
        mayGo.push(entry)
        releaseSlot()
      })
  }
}

/** Every run of the store that has not ended, those that went on first. */
async function* openRuns(database: Database): AsyncIterable<Run> {
  const runs = database.collection(runCollection)
  for (const status of ['running', 'waiting', 'queued'] as const) {
    let cursor: string | undefined
    do {
      const page = await runs.query({ index: 'by_status', equals: [status], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
      yield* page.items
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
}
