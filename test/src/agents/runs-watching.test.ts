import type { RunEvent, Runs } from '@agent-service/sdk/services/runs'
import { expect } from 'chai'
import {
  cursorsOf,
  eventsOf,
  finishedRun,
  personWithId,
  type RunsKernel,
  type RunsPerson,
  startRunsKernel,
  textAfter,
} from './support/runs-kernel.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

/** A promise, and what resolves it. */
const signalled = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Without what is there only while it happens. */
const stored = (events: readonly RunEvent[]): readonly RunEvent[] => events.filter((event) => 'cursor' in event)

const nameOf = (event: RunEvent): string => event.type

describe('watching a run', () => {
  let agents: RunsKernel
  let ada: RunsPerson
  let keys = 0

  const start = async (more: Partial<Parameters<Runs['start']>[0]> = {}): Promise<string> => {
    keys += 1
    return (await agents.runs.start({ userId: ada.id, key: `watch ${keys}`, message: 'Hello', ...more })).run.id
  }

  before(async () => {
    agents = await startRunsKernel()
    ada = await personWithId(agents, 'ada')
  })
  after(() => agents?.close())

  it('reports its state, its text, its calls and its end', async () => {
    setScript({ answer: (asked) => (resultsIn(asked).length === 0 ? calls('tool__read') : says('It ', 'is ', 'done.')) })
    const runId = await start()
    const events = await eventsOf(agents.runs, { userId: ada.id, runId })
    expect(nameOf(events[0] ?? expect.fail('nothing came'))).to.equal('state')
    expect(stored(events).map(nameOf)).to.deep.equal(['started', 'message', 'tool.started', 'tool.finished', 'message', 'finished'])
    expect(textAfter(events)).to.equal('It is done.')
    const last = events.at(-1)
    expect(last?.type === 'finished' && [last.text, last.stopReason, last.run.usage.output_tokens]).to.deep.equal([
      'It is done.',
      'stop',
      10,
    ])
  })

  it('continues after any cursor without gaps or duplicates, even after the end', async () => {
    setScript({ answer: (asked) => (resultsIn(asked).length < 2 ? calls('tool__read') : says('Done.')) })
    const runId = await start()
    const all = stored(await eventsOf(agents.runs, { userId: ada.id, runId }))
    const cursors = cursorsOf(all)
    expect(new Set(cursors).size).to.equal(cursors.length)
    for (const [index, after] of cursors.entries()) {
      const rest = await eventsOf(agents.runs, { userId: ada.id, runId, after })
      expect(nameOf(rest[0] ?? expect.fail('nothing came'))).to.equal('state')
      expect(cursorsOf(rest)).to.deep.equal(cursors.slice(index + 1))
    }
    for (const after of ['999', '-1', 'x', '']) {
      const thrown = await eventsOf(agents.runs, { userId: ada.id, runId, after }).catch((error: { readonly code?: string }) => error.code)
      expect(thrown, after).to.equal('run_cursor_invalid')
    }
  })

  it('starts later watchers with the text so far, and does not disturb the run when they leave', async () => {
    const [begun, end] = [signalled(), signalled()]
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: 'Half of ' }
        begun.resolve()
        await end.promise
        yield { type: 'text.delta', part: 0, text: 'it.' }
        const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
        yield { type: 'response.finished', content: [{ type: 'text', text: 'Half of it.' }], stop_reason: 'stop', usage }
      },
    })
    const runId = await start()
    const place = { userId: ada.id, runId }
    await begun.promise
    const early = await eventsOf(
      agents.runs,
      place,
      (event) => event.type === 'text.delta' || (event.type === 'state' && event.text !== ''),
    )
    expect(textAfter(early)).to.equal('Half of ')
    const stop = new AbortController()
    const left = (async () => {
      for await (const event of agents.runs.watch(place, { signal: stop.signal })) if (event.type === 'state') stop.abort(new Error('left'))
    })()
    expect(await left.catch((error: Error) => error.message)).to.equal('left')
    expect((await agents.runs.get(place)).status).to.equal('running')
    const seen = signalled()
    const late = eventsOf(agents.runs, place, () => {
      seen.resolve()
      return false
    })
    await seen.promise
    end.resolve()
    const events = await late
    const [state] = events
    expect(state?.type === 'state' && [state.run.status, state.text]).to.deep.equal(['running', 'Half of '])
    expect([textAfter(events), events.filter(({ type }) => type === 'void').length]).to.deep.equal(['Half of it.', 0])
  })

  it('continues across a restart, which repeats the calls but no events', async () => {
    const [reached, end] = [signalled(), signalled()]
    let held = true
    setScript({
      async *answer(asked, signal) {
        if (resultsIn(asked).length === 0) {
          yield* calls('tool__read')
          return
        }
        if (held) {
          yield { type: 'response.started' }
          yield { type: 'text.delta', part: 0, text: 'Lost ' }
          reached.resolve()
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
          signal.throwIfAborted()
        }
        await end.promise
        yield* says('Kept.')
      },
    })
    const runId = await start()
    const place = { userId: ada.id, runId }
    const seen: RunEvent[] = []
    const first = (async () => {
      for await (const event of agents.runs.watch(place, { signal: AbortSignal.timeout(20_000) })) seen.push(event)
    })().catch((error: { readonly code?: string }) => error.code)
    await reached.promise
    await agents.restart(() => {
      held = false
    })
    expect(await first).to.equal('run_interrupted')
    const after = cursorsOf(seen).at(-1) ?? expect.fail('nothing was stored')
    const late = eventsOf(agents.runs, { ...place, after })
    end.resolve()
    const rest = await late
    const all = await eventsOf(agents.runs, place)
    expect([...cursorsOf(seen), ...cursorsOf(rest)]).to.deep.equal(cursorsOf(all))
    expect([textAfter(rest), textAfter(all)]).to.deep.equal(['Kept.', 'Kept.'])
    expect((await finishedRun(agents.runs, ada.id, runId)).run.status).to.equal('completed')
  })

  it('sends a slow reader the state again, and every stored event once', async () => {
    const piece = 'x'.repeat(900_000)
    const flooded = signalled()
    setScript({
      async *answer(asked) {
        if (resultsIn(asked).length < 6) {
          yield { type: 'response.started' }
          yield { type: 'text.delta', part: 0, text: piece }
          const call = { type: 'tool_call' as const, call_id: 'v', name: 'tool__read', arguments: { n: resultsIn(asked).length } }
          const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
          yield {
            type: 'response.finished',
            content: [
              { type: 'text', text: piece },
              { ...call, arguments: {} },
            ],
            stop_reason: 'tool_calls',
            usage,
          }
          return
        }
        flooded.resolve()
        yield* says('End.')
      },
    })
    const runId = await start()
    const events: RunEvent[] = []
    for await (const event of agents.runs.watch({ userId: ada.id, runId }, { signal: AbortSignal.timeout(30_000) })) {
      // Nothing is read until more waits than may.
      if (events.length === 0) await flooded.promise
      events.push(event)
    }
    const again = await eventsOf(agents.runs, { userId: ada.id, runId })
    expect(events.filter(({ type }) => type === 'state').length).to.be.greaterThan(1)
    expect(cursorsOf(events)).to.deep.equal(cursorsOf(again))
    expect(textAfter(events) === textAfter(again)).to.equal(true)
    expect((await agents.runs.get({ userId: ada.id, runId })).status).to.equal('completed')
  })
})
