import { createControlledClock } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { endOf } from './support/agents-kernel.js'
import { type AskingKernel, askedOnce, callsWith, startAskingKernel } from './support/asking-kernel.js'
import { resultsIn, says, setScript } from './support/scripted-plugin.js'

const agent = { tools: ['ask_user'], approval: {} }

/** A model that asks one question, and what it read of it. */
function askOnce() {
  const script = setScript({
    answer: (request) =>
      resultsIn(request).length === 0 ? callsWith({ name: 'ask_user', arguments: { question: 'How old are you?' } }) : says('Thanks.'),
  })
  return () =>
    resultsIn(script.requests.at(-1) ?? expect.fail('no request')).flatMap(({ content, is_error }) =>
      content.map((part) => [part.type === 'text' ? part.text : '', is_error]),
    )
}

describe('a question that is not answered', function () {
  this.timeout(60_000)
  let asking: AskingKernel

  before(async () => {
    setScript()
    asking = await startAskingKernel()
  })
  after(() => asking?.close())

  it('reads as declined by the person, with their note', async () => {
    const read = askOnce()
    const ada = await asking.person('ada', agent)
    const stream = await ada.stream()
    const first = await ada.begin()
    await ada.answer(await askedOnce(stream, first.runId), 'deny', 'That is private.')
    expect((await endOf(stream, first.runId)).name).to.equal('run.completed')
    expect(read()).to.deep.equal([
      [
        'Not run: the person did not want to answer this question. They wrote: That is private. Do not ask it again unless they bring it up.',
        true,
      ],
    ])
    const second = await ada.begin()
    await ada.answer(await askedOnce(stream, second.runId), 'deny')
    await endOf(stream, second.runId)
    expect(read()[0]?.[0]).to.equal(
      'Not run: the person did not want to answer this question. Do not ask it again unless they bring it up.',
    )
    stream.close()
  })

  it('reads as not answered in time', async () => {
    const read = askOnce()
    const ada = await asking.person('ada', agent)
    const stream = await ada.stream()
    const { runId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    stream.close()
    await asking.restart({ clock: createControlledClock({ now: Date.parse(String(asked['expires_at'])) }) })
    const again = await asking.person('ada')
    const resumed = await again.stream()
    expect((await again.run(runId))['status'] === 'completed' || (await endOf(resumed, runId)).name === 'run.completed').to.equal(true)
    expect(read()).to.deep.equal([['Not run: the person did not answer this question in time.', true]])
    resumed.close()
  })
})
