import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Run, Runs, StartRunRequest } from '@agent-service/sdk/services/runs'

/** Runs that a test ends. */
export interface FakeRuns extends Pick<Runs, 'start' | 'get' | 'list'> {
  readonly requests: readonly StartRunRequest[]
  /** Ends a run with this text in its result. */
  complete(runId: string, text: string): void
}

export function createFakeRuns(): FakeRuns {
  const requests: StartRunRequest[] = []
  const runs = new Map<string, Run>()
  const at = '2026-11-20T12:00:00.000Z'
  return {
    requests,
    async start(request) {
      const id = request.key.replaceAll(/\W+/g, '-')
      const repeated = runs.has(id)
      requests.push(request)
      if (!repeated) runs.set(id, { ...begun, id, chatId: `chat-of-${id}`, createdAt: at, reportsTo: request.reportsTo ?? null })
      return { run: runOf(id), messageId: `message-of-${id}`, repeated }
    },
    get: async ({ runId }) => runOf(runId),
    list: async () => ({ items: [...runs.values()] }),
    complete: (id, text) => void runs.set(id, { ...runOf(id), status: 'completed', finishedAt: at, result: { value: { text } } }),
  }

  function runOf(id: string): Run {
    const run = runs.get(id)
    if (!run) throw notFoundError.create({ what: 'run' })
    return run
  }
}

const begun: Omit<Run, 'id' | 'chatId' | 'createdAt' | 'reportsTo'> = {
  agentId: 'agent-1',
  status: 'queued',
  modelGroup: 'primary',
  failure: null,
  usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
  turns: 0,
  questions: [],
  result: null,
  parent: null,
  startedAt: null,
  finishedAt: null,
}
