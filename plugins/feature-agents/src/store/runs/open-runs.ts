import type { Database } from '@agent-service/sdk/services/database'
import { type Run, runCollection } from './run.js'

/** Every run of the store that has not ended, those that went on first. */
export async function* openRuns(database: Database): AsyncIterable<Run> {
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
