import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { textOf } from './support/agents-kernel.js'
import { createClientView } from './support/client-view.js'
import { asksForSummary, openLongChat, summaryIn } from './support/long-chats.js'
import { type SummarisingKernel, startSummarisingKernel } from './support/summarising-kernel.js'

describe('a chat that the vendor refuses as too long', function () {
  this.timeout(60_000)
  let kernel: SummarisingKernel

  before(async () => {
    kernel = await startSummarisingKernel()
  })
  beforeEach(() => kernel.begin())
  afterEach(() => expect(kernel.takeTooLong(), 'prompts beyond what the window leaves').to.deep.equal([]))
  after(() => kernel?.close())

  const overflow = () =>
    providerError.create({
      failure: 'context_overflow',
      retryable: false,
      connection: 'upstream',
      model: 'm',
      reason: 'Too many tokens.',
    })
  /** Refuses so many questions. */
  const refusing = (times: number): void => {
    let left = times
    kernel.begin({
      answer: async function* (request) {
        if (!asksForSummary(request) && left-- > 0) throw overflow()
        yield* kernel.answer(request)
      },
    })
  }

  it('is summarised and sent once more, for the same message', async () => {
    const chat = await kernel.chatOf(4)
    refusing(1)
    const view = createClientView()
    const end = await chat.say('Go on')
    expect(end.name).to.equal('run.completed')
    expect(kernel.requests().map(asksForSummary)).to.deep.equal([false, true, false])
    expect(summaryIn(kernel.requests()[2] ?? expect.fail('no retry'))).to.include('Summary')
    const mine = chat.events.filter(({ data }) => data['run_id'] === end.data['run_id'])
    for (const event of mine) view.apply(event)
    const messages = await kernel.ada.messages(chat.id)
    expect(messages).to.have.length(10)
    const last = messages.at(-1)
    expect(last?.status).to.equal('complete')
    expect(view.text(last?.id ?? '')).to.equal(textOf(last))
    expect(mine.filter(({ name }) => name === 'run.started').map(({ data }) => data['resumed'] ?? false)).to.deep.equal([false, true])
    chat.close()
  })

  it('is not sent a third time', async () => {
    const chat = await kernel.chatOf(4)
    refusing(2)
    const end = await chat.say('Go on')
    expect([end.name, (end.data['failure'] as { code: string }).code]).to.deep.equal(['run.failed', 'context_overflow'])
    expect(kernel.requests().map(asksForSummary)).to.deep.equal([false, true, false])
    expect((await kernel.ada.messages(chat.id)).at(-1)?.status).to.equal('failed')
    chat.close()
  })

  it('is sent by half if it must not be summarised', async () => {
    const chat = await kernel.chatOf(6)
    const [made] = [(await kernel.ada.request('POST', `/api/chats/${chat.id}/compact`)).body]
    expect((await kernel.ada.request('DELETE', `/api/chats/${chat.id}/summaries/${String(made?.['id'])}`)).status).to.equal(204)
    refusing(1)
    expect((await chat.say('Go on')).name).to.equal('run.completed')
    expect(kernel.requests().map(asksForSummary)).to.deep.equal([false, false])
    const [first, second] = kernel.requests().map((request) => request.messages.length)
    expect(second).to.be.lessThan((first ?? 0) / 2 + 2)
    refusing(2)
    const end = await chat.say('And on')
    expect([end.name, (end.data['failure'] as { code: string }).code]).to.deep.equal(['run.failed', 'context_overflow'])
    expect(kernel.requests()).to.have.length(2)
    chat.close()
  })

  it('fails with advice and the vendor’s words if nothing can be left out', async () => {
    refusing(9)
    const chat = await openLongChat(kernel.ada)
    const end = await chat.say('Hello')
    const failure = end.data['failure'] as { readonly code: string; readonly message: string }
    expect([end.name, failure.code]).to.deep.equal(['run.failed', 'context_overflow'])
    expect(failure.message).to.include('new chat').and.include('Too many tokens.')
    expect(kernel.requests()).to.have.length(1)
    chat.close()
  })
})
