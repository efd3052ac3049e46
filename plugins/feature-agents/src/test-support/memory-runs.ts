import type { Collection, Database, StoredObject, Transaction } from '@agent-service/sdk/services/database'
import { noUsage, type Run } from '../runs/run.js'

/** A run as it is stored before anybody drives it. */
export const queuedRun = (id: string, userId = 'u', changes: Partial<Run> = {}): Run => ({
  id,
  user_id: userId,
  chat_id: `chat of ${id}`,
  agent_id: 'agent',
  status: 'queued',
  model_group: 'primary',
  failure: null,
  usage: noUsage,
  turns: 0,
  step_count: 0,
  epoch: 1,
  lease_until: null,
  attempts: 1,
  cancel_requested_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  started_at: null,
  finished_at: null,
  ...changes,
})

/** Just enough of a database for the runs of one process: documents by id, transactions one after the other. */
export function createMemoryRuns(initial: readonly Run[] = []): { readonly database: Database; readonly runs: Map<string, Run> } {
  const runs = new Map(initial.map((run) => [run.id, run]))
  const asDocument = <Document extends StoredObject>(run: Run | undefined): Document | undefined => run as unknown as Document | undefined
  const transaction: Transaction = {
    get: async <Document extends StoredObject>(_: unknown, id: string) => asDocument<Document>(runs.get(id)),
    find: async () => undefined,
    insert: (_, document) => void runs.set(document.id, document as unknown as Run),
    put: (_, document) => void runs.set(document.id, document as unknown as Run),
    delete: (_, id) => void runs.delete(id),
  }
  const collection = <Document extends StoredObject>(): Pick<Collection<Document>, 'get' | 'query'> => ({
    get: async (id) => asDocument<Document>(runs.get(id)),
    query: async ({ equals }) => ({
      items: [...runs.values()].filter(({ status }) => status === equals?.[0]).flatMap((run) => asDocument<Document>(run) ?? []),
    }),
  })
  const database: Database = {
    collection: <Document extends StoredObject>() => collection<Document>() as Collection<Document>,
    transaction: (work) => work(transaction),
  }
  return { database, runs }
}
