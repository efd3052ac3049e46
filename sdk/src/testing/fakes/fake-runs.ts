import { notFoundError } from '../../contracts/http-route/errors.js'
import type { JsonValue } from '../../core/json.js'
import type { Run, Runs, StartedRun, StartRunRequest } from '../../services/runs.js'

/** Runs that a test controls. */
export interface FakeRuns extends Runs {
  /** Every request that started a run, oldest first. */
  readonly started: readonly StartRunRequest[]
  /** The answer of the next run without one. Default: `Hello`; with a `result` it must be JSON. */
  say(text: string): void
}

interface PlayedRun {
  readonly userId: string
  readonly key: string
  readonly text: string
  readonly started: StartedRun
}

const at = '2026-01-01T00:00:00.000Z'
const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }

/** Every run has ended with its answer when `start` resolves; it has no approvals or questions. */
export function createFakeRuns(): FakeRuns {
  const started: StartRunRequest[] = []
  const answers: string[] = []
  const played: PlayedRun[] = []
  const find = ({ userId, runId }: { readonly userId: string; readonly runId: string }): PlayedRun => {
    const found = played.find((each) => each.userId === userId && each.started.run.id === runId)
    if (found) return found
    throw notFoundError.create({ what: 'run' })
  }
  const get: Runs['get'] = async (request) => find(request).started.run
  return {
    started,
    say: (text) => void answers.push(text),
    async start(request, { signal } = {}) {
      signal?.throwIfAborted()
      const earlier = played.find(({ userId, key }) => userId === request.userId && key === request.key)
      if (earlier) return { ...earlier.started, repeated: true }
      const text = answers.shift() ?? 'Hello'
      const number = started.push(request)
      const run = { run: endedRun(request, number, text), messageId: `message-${number}`, repeated: false }
      played.push({ userId: request.userId, key: request.key, text, started: run })
      return run
    },
    get,
    async list({ userId, open = false, chatId, parentRunId, reportsTo, limit = 50 }) {
      const items = played
        .filter((each) => each.userId === userId && !open)
        .map((each) => each.started.run)
        .filter((run) => chatId === undefined || run.chatId === chatId)
        .filter((run) => parentRunId === undefined || run.parent?.runId === parentRunId)
        .filter((run) => reportsTo === undefined || (run.reportsTo?.kind === reportsTo.kind && run.reportsTo.id === reportsTo.id))
      return { items: items.slice(0, limit) }
    },
    async *watch(request, { signal }) {
      signal.throwIfAborted()
      const { text, started: of } = find(request)
      yield { type: 'state', run: of.run, text, reasoning: '' }
      if (request.after !== 'finished')
        yield { type: 'finished', cursor: 'finished', at, run: of.run, text, reasoning: '', stopReason: 'stop' }
    },
    cancel: get,
    answer: get,
    // No run waits.
    gate: () => () => undefined,
  }
}

function endedRun(request: StartRunRequest, number: number, text: string): Run {
  const { agent, chat, parent, reportsTo, result, modelGroup } = request
  return {
    id: `run-${number}`,
    chatId: chat && 'id' in chat ? chat.id : `chat-${number}`,
    agentId: agent && 'id' in agent ? agent.id : 'agent-1',
    status: 'completed',
    modelGroup: modelGroup ?? 'primary',
    failure: null,
    usage,
    turns: 1,
    questions: [],
    result: result === undefined ? null : { value: JSON.parse(text) as JsonValue },
    parent: parent === undefined ? null : { runId: parent.runId, callId: parent.callId ?? null, depth: 1 },
    reportsTo: reportsTo ?? null,
    ...{ createdAt: at, startedAt: at, finishedAt: at },
  }
}
