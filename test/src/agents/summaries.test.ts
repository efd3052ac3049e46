import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { endOf } from './support/agents-kernel.js'
import { createGate } from './support/client-view.js'
import { asksForSummary, messageText, summariesOf, summaryIn, wordsOf } from './support/long-chats.js'
import { type SummarisingKernel, startSummarisingKernel } from './support/summarising-kernel.js'

describe('the summary of a long chat', function () {
  this.timeout(120_000)
  let kernel: SummarisingKernel

  before(async () => {
    kernel = await startSummarisingKernel()
  })
  beforeEach(() => kernel.begin())
  afterEach(() => expect(kernel.takeTooLong(), 'prompts beyond what the window leaves').to.deep.equal([]))
  after(() => kernel?.close())

  it('restores the messages when it is undone, and is not written again', async () => {
    const chat = await kernel.chatOf(12)
    const [made] = await summariesOf(kernel.ada, chat.id)
    const place = `/api/chats/${chat.id}/summaries/${made?.id}`
    const eve = await kernel.person('eve')
    expect((await eve.request('DELETE', place)).status).to.equal(404)
    expect((await eve.request('GET', `/api/chats/${chat.id}/summaries`)).status).to.equal(404)
    expect((await kernel.ada.request('DELETE', place)).status).to.equal(204)
    expect((await kernel.ada.request('DELETE', place)).status, 'a second time').to.equal(204)
    expect((await kernel.ada.request('GET', `/api/chats/${chat.id}`)).body['compaction']).to.equal(false)
    expect((await summariesOf(kernel.ada, chat.id))[0]?.undone_at).to.be.a('string')

    const before = kernel.requests().length
    for (let turn = 0; turn < 4; turn += 1) await chat.say(wordsOf('After the undo.', 120))
    const after = kernel.requests().slice(before)
    expect(after.filter(asksForSummary)).to.have.length(0)
    expect(after.map(summaryIn)).to.deep.equal([undefined, undefined, undefined, undefined])
    const earliest = (request: ModelRequest | undefined) =>
      Number(/Question (\d+)\./.exec(messageText(request?.messages[1] ?? { content: [] }))?.[1])
    // Of the messages that the summary had stood for, those that fit are read again.
    expect(earliest(after[0])).to.be.lessThan((made?.until ?? 0) / 2 + 1)
    chat.close()
  })

  it('applies to the branches that fork after it, and to no other', async () => {
    const chat = await kernel.chatOf(12)
    const [made] = await summariesOf(kernel.ada, chat.id)
    const messages = await kernel.ada.messages(chat.id)
    const stream = await kernel.ada.stream({ chatId: chat.id })
    const replace = async (index: number): Promise<ModelRequest> => {
      const { status, body } = await kernel.ada.request('POST', `/api/chats/${chat.id}/messages`, {
        content: 'Instead',
        replaces: messages[index]?.id,
      })
      expect(status).to.equal(202)
      await endOf(stream, (body['run'] as { readonly id: string }).id)
      return kernel.lastQuestion()
    }
    expect(made?.until).to.be.lessThan(22)
    expect(summaryIn(await replace(22)), 'behind the summary').to.include(made?.text)
    // The chat is on the new branch now; both share the messages before the fork.
    expect(summaryIn(await replace(2)), 'before the end of the summary').to.equal(undefined)
    stream.close()
    chat.close()
  })

  it('is written between two runs on request of a person', async () => {
    const chat = await kernel.chatOf(3)
    const { status, body } = await kernel.ada.request('POST', `/api/chats/${chat.id}/compact`)
    expect([status, body['run_id']]).to.deep.equal([201, null])
    expect(await summariesOf(kernel.ada, chat.id)).to.deep.equal([body])
    await chat.say('And now?')
    expect(summaryIn(kernel.lastQuestion())).to.include(body['text'])
    const empty = await kernel.ada.newChat()
    expect((await kernel.ada.request('POST', `/api/chats/${empty}/compact`)).body).to.include({ status: 409, code: 'nothing_to_summarise' })
    chat.close()
  })

  it('is written by one request at a time', async () => {
    const chat = await kernel.chatOf(3)
    const ordered = createGate()
    const goOn = createGate()
    kernel.begin({
      answer: async function* (request) {
        ordered.open()
        await goOn.opened
        yield* kernel.answer(request)
      },
    })
    const compact = () => kernel.ada.request('POST', `/api/chats/${chat.id}/compact`)
    const first = compact()
    await ordered.opened
    expect((await compact()).body).to.include({ status: 409, code: 'compaction_in_progress' })
    goOn.open()
    expect((await first).status).to.equal(201)
    expect((await compact()).body['code'], 'afterwards').to.not.equal('compaction_in_progress')
    chat.close()
  })
})
