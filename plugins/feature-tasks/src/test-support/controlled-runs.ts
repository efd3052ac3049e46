import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Run, RunEvent, RunFailure, RunGate, Runs, StartRunRequest, WaitingRun } from '@agent-service/sdk/services/runs'

/** Runs that a test ends. They outlive the engines that started them, as those of the service do. */
export interface ControlledRuns extends Pick<Runs, 'start' | 'watch' | 'cancel' | 'get' | 'gate'> {
  readonly all: readonly ControlledRun[]
  readonly open: () => readonly ControlledRun[]
  /** Called for each new run. */
  onStart: (run: ControlledRun) => void
  /** What a start does first: a test makes it throw. */
  beforeStart: (request: StartRunRequest) => void | Promise<void>
}

export interface ControlledRun {
  readonly id: string
  readonly request: StartRunRequest
  view(): Run
  emit(event: RunEvent): void
  end(ending?: {
    readonly text?: string
    readonly failure?: RunFailure
    readonly result?: Run['result']
    readonly status?: Run['status']
  }): void
  /** It asks a person. */
  wait(): Promise<void>
  /** The person answers: resolves when the run goes on. */
  answered(signal?: AbortSignal): Promise<void>
}

const at = '2026-01-01T00:00:00.000Z'
const usage = { input_tokens: 100, cached_input_tokens: 0, output_tokens: 10, reasoning_tokens: 0 }

export function createControlledRuns(): ControlledRuns {
  const all: ControlledRun[] = []
  const streams = new Map<string, { readonly events: RunEvent[]; readonly listeners: Set<() => void> }>()
  const gates = new Map<string, RunGate>()
  const find = (userId: string, runId: string): ControlledRun => {
    const run = all.find((each) => each.id === runId && each.request.userId === userId)
    if (!run) throw notFoundError.create({ what: 'run' })
    return run
  }
  const make = (request: StartRunRequest): ControlledRun => {
    const id = `run-${all.length + 1}`
    const stream = { events: [] as RunEvent[], listeners: new Set<() => void>() }
    streams.set(id, stream)
    let view = runOf(id, request)
    const waiting: WaitingRun | undefined = request.reportsTo && { userId: request.userId, runId: id, reportsTo: request.reportsTo }
    const gate = (): RunGate | undefined => gates.get(request.reportsTo?.kind ?? '')
    const emit = (event: RunEvent): void => {
      stream.events.push(event)
      for (const listener of stream.listeners) listener()
    }
    return {
      ...{ id, request, emit },
      view: () => view,
      async wait() {
        view = { ...view, status: 'waiting' }
        emit({ type: 'waiting', questions: [] })
        if (waiting) await gate()?.waiting(waiting)
      },
      async answered(signal = new AbortController().signal) {
        if (waiting) await gate()?.goingOn(waiting, { signal })
        view = { ...view, status: 'running' }
        emit({ type: 'question.resolved', cursor: '2', at, callId: 'call', outcome: 'approved' })
      },
      end({ text = 'Done.', failure, result = null, status = failure ? 'failed' : 'completed' } = {}) {
        if (view.finishedAt !== null) return
        view = { ...view, status, failure: failure ?? null, result, usage, finishedAt: at }
        emit({ type: 'finished', cursor: 'end', at, run: view, text, reasoning: '', stopReason: 'stop' })
      },
    }
  }
  const runs: ControlledRuns = {
    all,
    open: () => all.filter((run) => run.view().finishedAt === null),
    onStart: () => undefined,
    beforeStart: () => undefined,
    async start(request, { signal } = {}) {
      signal?.throwIfAborted()
      await runs.beforeStart(request)
      const known = all.find((each) => each.request.userId === request.userId && each.request.key === request.key)
      if (known) return { run: known.view(), messageId: 'message', repeated: true }
      const run = make(structuredClone(request))
      all.push(run)
      setImmediate(() => runs.onStart(run))
      return { run: run.view(), messageId: 'message', repeated: false }
    },
    gate(kind, gate) {
      gates.set(kind, gate)
      return () => {
        if (gates.get(kind) === gate) gates.delete(kind)
      }
    },
    get: async ({ userId, runId }) => find(userId, runId).view(),
    async cancel({ userId, runId }) {
      const run = find(userId, runId)
      run.end({ status: 'cancelled', text: '' })
      return run.view()
    },
    async *watch({ userId, runId }, { signal }) {
      const run = find(userId, runId)
      const stream = streams.get(runId)
      yield { type: 'state', run: run.view(), text: '', reasoning: '' }
      for (let index = 0; ; index += 1) {
        while (stream && stream.events.length <= index) await nextEvent(stream.listeners, signal)
        const event = stream?.events[index]
        if (!event) return
        yield event
        if (event.type === 'finished') return
      }
    },
  }
  return runs
}

function nextEvent(listeners: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const done = (): void => {
      listeners.delete(done)
      signal.removeEventListener('abort', abort)
      resolve()
    }
    const abort = (): void => {
      listeners.delete(done)
      reject(signal.reason as Error)
    }
    listeners.add(done)
    signal.addEventListener('abort', abort, { once: true })
  })
}

const runOf = (id: string, request: StartRunRequest): Run => ({
  ...{ id, chatId: `chat-of-${id}`, agentId: request.agent && 'id' in request.agent ? request.agent.id : 'agent-1', status: 'running' },
  ...{ modelGroup: request.modelGroup ?? 'primary', failure: null, usage, turns: 0, questions: [], result: null },
  parent: request.parent ? { runId: request.parent.runId, callId: request.parent.callId ?? null, depth: 1 } : null,
  ...{ reportsTo: request.reportsTo ?? null, createdAt: at, startedAt: at, finishedAt: null },
})
