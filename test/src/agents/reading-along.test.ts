import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel, textOf } from './support/agents-kernel.js'
import { createClientView, createGate } from './support/client-view.js'
import { says, setScript } from './support/scripted-plugin.js'

describe('reading along while an answer grows', () => {
  let agents: AgentsKernel
  let ada: Person

  before(async () => {
    setScript()
    agents = await startAgentsKernel({ maxRetries: 1 })
    ada = await agents.person('ada')
  })
  after(() => agents?.close())

  it('gives the exact text from any page of messages and the stream after its event_id', async () => {
    const pieces = Array.from({ length: 300 }, (_, index) => `${index} 😀 `)
    const allJoined = createGate()
    setScript({
      async *answer() {
        let given = 0
        for await (const event of says(...pieces)) {
          yield event
          given += 1
          // The last part comes when all are there, however slow the machine is.
          if (given === 250) await allJoined.opened
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
      },
    })
    const first = await ada.stream()
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Count')
    await first.until((event) => event.name === 'text.delta' && event.data['run_id'] === run)

    const joined = []
    for (let tab = 0; tab < 8; tab += 1) {
      const page = await ada.messages(chat)
      const open = page.find((message) => message.status === 'open')
      expect(open?.event_id, 'the answer is still open').to.match(/^\d+$/)
      const view = createClientView()
      view.read(page)
      joined.push({ view, id: open?.id ?? '', stream: await ada.stream({ after: open?.event_id ?? '', chatId: chat }) })
    }
    allJoined.open()
    for (const { view, id, stream } of joined) {
      await endOf(stream, run)
      for (const event of stream.events.filter((candidate) => candidate.name !== 'message.updated')) view.apply(event)
      expect(view.text(id)).to.equal(pieces.join(''))
      stream.close()
    }
    const last = (await ada.messages(chat)).at(-1)
    expect(last).to.not.have.property('event_id')
    expect(textOf(last)).to.equal(pieces.join(''))
    first.close()
  })

  it('shows two tabs the same, with one event in 16 ms', async () => {
    setScript({
      async *answer() {
        for (let index = 0; index < 100; index += 1) {
          yield { type: 'text.delta', part: 0, text: `${index},` }
          await new Promise((resolve) => setTimeout(resolve, 2))
        }
        yield* says(Array.from({ length: 100 }, (_, index) => `${index},`).join(''))
      },
    })
    const [left, right] = [await ada.stream(), await ada.stream()]
    const chat = await ada.newChat()
    const begun = performance.now()
    const run = await ada.post(chat, 'Count')
    await Promise.all([endOf(left, run), endOf(right, run)])
    const took = performance.now() - begun
    const of = (stream: typeof left) => stream.events.filter((event) => event.data['run_id'] === run).map(({ id, name }) => `${id} ${name}`)
    expect(of(left)).to.deep.equal(of(right))
    expect(of(left).filter((line) => line.endsWith('text.delta')).length).to.be.at.most(took / 16 + 2)
    left.close()
    right.close()
  })

  it('reports an attempt that failed before any text was shown', async () => {
    let attempts = 0
    setScript({
      async *answer() {
        attempts += 1
        yield { type: 'response.started' }
        if (attempts === 1) {
          throw providerError.create({ failure: 'transport', retryable: true, connection: 'upstream', model: 'm', reason: 'Reset.' })
        }
        yield* says('Short.')
      },
    })
    const stream = await ada.stream()
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Hi')
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    const retrying = stream.events.find((event) => event.name === 'run.retrying')
    expect(retrying?.data).to.include({ chat_id: chat, run_id: run, attempt: 1, failure: 'transport', reason: 'Reset.' })
    expect(retrying?.data).to.not.have.property('void')
    expect(textOf((await ada.messages(chat)).at(-1))).to.equal('Short.')
    stream.close()
  })
})
