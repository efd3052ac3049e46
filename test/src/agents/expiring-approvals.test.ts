import { createControlledClock } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { endOf } from './support/agents-kernel.js'
import { type AskingKernel, askedBy, askedOnce, askingAgent, callsWith, scriptCalls, startAskingKernel } from './support/asking-kernel.js'
import { resultsIn, says, setScript } from './support/scripted-plugin.js'

describe('unanswered approvals', function () {
  this.timeout(60_000)
  const day = 24 * 3_600_000
  let asking: AskingKernel | undefined
  afterEach(() => asking?.close())

  it('expire after exactly a day; the model continues without the call', async () => {
    const begin = createControlledClock()
    asking = await startAskingKernel({ clock: begin })
    const { ran, read } = scriptCalls('tool__unsafe')
    const ada = await asking.person('ada', askingAgent({ '*': 'always' }))
    const stream = await ada.stream()
    const { runId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    expect(Date.parse(String(asked['expires_at'])) - Date.parse(String(asked['created_at']))).to.equal(day)
    stream.close()

    const late = createControlledClock({ now: Date.parse(String(asked['expires_at'])) - 1_000 })
    await asking.restart({ clock: late })
    const again = await asking.person('ada')
    const resumed = await again.stream()
    expect(await again.run(runId)).to.include({ status: 'waiting' })
    await late.advance(999)
    expect(await again.run(runId)).to.include({ status: 'waiting' })
    await late.advance(1)
    expect((await endOf(resumed, runId)).name).to.equal('run.completed')
    expect(ran).to.deep.equal([])
    expect(read()).to.deep.equal(['Not run: the question about this call was not answered in time.'])
    const answered = await again.answer(asked, 'approve')
    expect([answered.status, answered.body['code']]).to.deep.equal([409, 'approval_expired'])
    expect((await again.request('GET', `/api/approvals/${asked.call_id}`)).body).to.include({ status: 'expired' })
    resumed.close()
  })

  it('expire while the service is down', async () => {
    const begin = createControlledClock()
    asking = await startAskingKernel({ clock: begin })
    const { ran } = scriptCalls('tool__unsafe')
    const ada = await asking.person('ada', askingAgent({ '*': 'always' }))
    const stream = await ada.stream()
    const { runId, chatId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    stream.close()
    await asking.restart({ clock: createControlledClock({ now: begin.now() + 3 * day }) })
    const again = await asking.person('ada')
    const resumed = await again.stream({ after: '0' })
    const answered = await again.answer(asked, 'approve')
    expect([answered.status, answered.body['code']]).to.deep.equal([409, 'approval_expired'])
    const ended = async (): Promise<boolean> => (await again.run(runId))['status'] === 'completed'
    if (!(await ended())) await endOf(resumed, runId)
    expect(await ended()).to.equal(true)
    expect(await again.pending(chatId)).to.deep.equal([])
    expect(ran).to.deep.equal([])
    resumed.close()
  })
})

describe('many approvals', function () {
  this.timeout(120_000)

  it('are listed page by page, each once', async () => {
    const asking = await startAskingKernel()
    try {
      const perRun = 100
      const runs = 4
      const questions = Array.from({ length: perRun }, (_, index) => ({ name: 'ask_user', arguments: { question: `Number ${index}?` } }))
      setScript({
        answer: (request) => (resultsIn(request).length === 0 ? callsWith(...questions) : says('Done.')),
      })
      const ada = await asking.person('ada', askingAgent({ '*': 'always' }))
      const stream = await ada.stream()
      const begun = []
      for (let index = 0; index < runs; index += 1) begun.push(await ada.begin())
      const asked = []
      for (const { runId } of begun) asked.push(...(await askedBy(stream, runId, perRun)))
      const seen: string[] = []
      const dates: string[] = []
      let cursor = ''
      let pages = 0
      do {
        const { body } = await ada.request('GET', `/api/approvals?status=pending&limit=150${cursor}`)
        const items = body['items'] as readonly { call_id: string; created_at: string }[]
        seen.push(...items.map(({ call_id }) => call_id))
        dates.push(...items.map(({ created_at }) => created_at))
        pages += 1
        cursor = body['next_cursor'] === null ? '' : `&cursor=${encodeURIComponent(String(body['next_cursor']))}`
      } while (cursor !== '')
      expect(pages).to.equal(Math.ceil((perRun * runs) / 150))
      expect(seen).to.have.length(perRun * runs)
      expect(new Set(seen)).to.deep.equal(new Set(asked.map(({ call_id }) => call_id)))
      expect(dates).to.deep.equal([...dates].sort())
      await Promise.all(begun.map(({ runId }) => ada.request('POST', `/api/runs/${runId}/cancel`)))
      expect(await ada.pending()).to.deep.equal([])
      stream.close()
    } finally {
      await asking.close()
    }
  })
})
