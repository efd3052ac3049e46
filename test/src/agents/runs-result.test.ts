import type { Runs } from '@agent-service/sdk/services/runs'
import { expect } from 'chai'
import { eventsOf, finishedRun, personWithId, type RunsKernel, type RunsPerson, startRunsKernel } from './support/runs-kernel.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

const result = {
  name: 'weather',
  schema: {
    type: 'object',
    properties: { city: { type: 'string' }, degrees: { type: 'number' } },
    required: ['city', 'degrees'],
    additionalProperties: false,
  },
}
const vienna = { city: 'Vienna', degrees: 21 }

describe('a run with a required form of its answer', () => {
  let agents: RunsKernel
  let ada: RunsPerson
  let keys = 0

  const start = async (more: Partial<Parameters<Runs['start']>[0]> = {}): Promise<string> => {
    keys += 1
    return (await agents.runs.start({ userId: ada.id, key: `result ${keys}`, message: 'How warm is it?', result, ...more })).run.id
  }
  const answering = (...answers: readonly string[]) => {
    let turn = 0
    return setScript({
      answer: () => {
        turn += 1
        return says(answers[turn - 1] ?? 'Nothing.')
      },
    })
  }

  before(async () => {
    agents = await startRunsKernel()
    ada = await personWithId(agents, 'ada')
  })
  after(() => agents?.close())

  it('has the value of the answer, also after a restart', async () => {
    const script = setScript({ answer: (asked) => (resultsIn(asked).length === 0 ? calls('tool__read') : says(JSON.stringify(vienna))) })
    const runId = await start()
    const { run } = await finishedRun(agents.runs, ada.id, runId)
    expect([run.status, run.result]).to.deep.equal(['completed', { value: vienna }])
    const [first] = script.requests
    expect(JSON.stringify(first?.messages)).to.include('JSON Schema').and.include('weather')
    await agents.restart()
    expect((await agents.runs.get({ userId: ada.id, runId })).result).to.deep.equal({ value: vienna })
  })

  it('asks the vendor for the form if the model has no tools', async () => {
    const script = answering(JSON.stringify(vienna))
    await finishedRun(agents.runs, ada.id, await start({ tools: [] }))
    expect(script.requests.map(({ responseSchema }) => responseSchema)).to.deep.equal([result])
  })

  it('reports the problems to the model twice, and then accepts a valid answer', async () => {
    const script = answering('It is warm.', '{"city": "Vienna", "degrees": "many"}', `\`\`\`json\n${JSON.stringify(vienna)}\n\`\`\``)
    const runId = await start()
    const events = await eventsOf(agents.runs, { userId: ada.id, runId })
    const last = events.at(-1)
    expect(last?.type === 'finished' && [last.run.status, last.run.result, last.run.turns]).to.deep.equal([
      'completed',
      { value: vienna },
      3,
    ])
    const refused = events.flatMap((event) => (event.type === 'result.refused' ? [event.problems] : []))
    expect(refused).to.have.length(2)
    expect(refused[0]).to.include('not JSON')
    expect(refused[1]).to.include('/degrees')
    const [, second, third] = script.requests
    expect(JSON.stringify(second?.messages.at(-1))).to.include('not JSON')
    expect(JSON.stringify(third?.messages.at(-1))).to.include('/degrees')
    expect(third?.responseSchema).to.deep.equal(result)
  })

  it('fails if the third answer is invalid too, and keeps the text', async () => {
    const script = answering('One.', 'Two.', 'Three.', JSON.stringify(vienna))
    const runId = await start()
    const { run, text } = await finishedRun(agents.runs, ada.id, runId)
    expect([run.status, run.failure?.code, run.result, script.requests.length]).to.deep.equal(['failed', 'run_result_invalid', null, 3])
    expect(text).to.equal('One.\n\nTwo.\n\nThree.')
  })

  it('continues with the correction after a restart', async () => {
    let held = true
    let reached: () => void = () => undefined
    const reaching = new Promise<void>((resolve) => {
      reached = resolve
    })
    const script = setScript({
      async *answer(asked, signal) {
        const corrected = JSON.stringify(asked.messages.at(-1)).includes('not JSON')
        if (!corrected) {
          yield* says('Warm.')
          return
        }
        reached()
        if (held) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
          signal.throwIfAborted()
        }
        yield* says(JSON.stringify(vienna))
      },
    })
    const runId = await start()
    await reaching
    await agents.restart(() => {
      held = false
    })
    const { run } = await finishedRun(agents.runs, ada.id, runId)
    expect([run.status, run.result, script.requests.length]).to.deep.equal(['completed', { value: vienna }, 3])
  })
})
