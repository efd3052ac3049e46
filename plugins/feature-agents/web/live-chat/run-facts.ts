import { createStore } from 'solid-js/store'
import { api, type Schemas } from '../api/index.js'
import { orLeftOut } from './left-out.js'

type Run = Schemas['Run']

/** What the calls of a run cost, as far as prices are known. */
export interface RunCost {
  readonly usd: number
  /** Calls without a known price: the cost is at least `usd`. */
  readonly unpriced: number
}

export type RunFacts = ReturnType<typeof createRunFacts>

/**
 * The usage, times and costs of a chat's runs, for the margin. The chat works without them: what
 * could not be read is left out, and read again after the next run.
 */
export function createRunFacts(chatId: string) {
  const [runs, setRuns] = createStore<Record<string, Run>>({})
  const [costs, setCosts] = createStore<Record<string, RunCost>>({})

  /** What was read before the run ended may arrive after the event of its end. */
  const takeRead = (run: Run): void => {
    if (run.finished_at !== null || (runs[run.id]?.finished_at ?? null) === null) setRuns(run.id, run)
  }
  /** The calls of the newest runs, or of one run alone. */
  const readCosts = async (): Promise<void> => {
    const sums = new Map<string, RunCost>()
    const page = await api.get('/api/usage/calls', { query: { chat_id: chatId, limit: 200 } })
    for (const { run_id, purpose, cost_usd } of page.items) {
      if (run_id === null || purpose === 'title') continue
      const { usd, unpriced } = sums.get(run_id) ?? { usd: 0, unpriced: 0 }
      sums.set(run_id, { usd: usd + (cost_usd ?? 0), unpriced: unpriced + (cost_usd === null ? 1 : 0) })
    }
    // Older calls of the last run may be on the next page: its sum would be too small.
    const last = page.next_cursor === null ? undefined : [...sums.keys()].at(-1)
    for (const [runId, cost] of sums) if (runId !== last) setCosts(runId, cost)
  }
  return {
    run: (id: string): Run | undefined => runs[id],
    /** The run of a branch that began last. */
    newestOn: (branchId: string | undefined): Run | undefined =>
      Object.values(runs)
        .filter(({ branch_id }) => branch_id === branchId)
        .sort((one, other) => one.created_at.localeCompare(other.created_at))
        .at(-1),
    cost: (id: string): RunCost | undefined => costs[id],
    /** Takes runs as they were read beside messages. */
    takeRead: (read: readonly Run[]): void => read.forEach(takeRead),
    /** Reads a run that has just begun. */
    readOne: (id: string): Promise<void> => orLeftOut(api.get('/api/runs/{run_id}', { path: { run_id: id } }).then(takeRead)),
    readCosts: (): Promise<void> => orLeftOut(readCosts()),
    /** Takes a run as an event has it. */
    take: (run: Run): void => setRuns(run.id, run),
    addUsage(runId: string, usage: Schemas['ModelUsage']): void {
      if (!runs[runId]) return
      setRuns(runId, 'usage', ({ input_tokens, output_tokens, ...rest }) => ({
        ...rest,
        input_tokens: input_tokens + usage.input_tokens,
        output_tokens: output_tokens + usage.output_tokens,
      }))
    },
  }
}
