import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { asksForSummary, openLongChat, summariesOf, summaryIn, wordsOf } from './support/long-chats.js'
import { calls, says } from './support/scripted-plugin.js'
import { type SummarisingKernel, startSummarisingKernel } from './support/summarising-kernel.js'

const task = 'Look into nine places, please.'
const note = 'Begin with the cellar.'

describe('a message to a run that is too long for the model', function () {
  this.timeout(30_000)
  let kernel: SummarisingKernel

  before(async () => {
    kernel = await startSummarisingKernel()
  })
  after(() => kernel?.close())

  /**
   * Nine tool calls one after the other; the note is written where `when` says. Gives what the
   * model was asked behind summaries.
   */
  const steered = async (
    when: 'in a call' | 'in an answer',
  ): Promise<{ readonly chat: string; readonly asked: readonly ModelRequest[] }> => {
    let steps = 0
    let answers = 0
    const chat = await openLongChat(kernel.ada)
    const answerThenGoOn = async function* () {
      await kernel.ada.post(chat.id, note)
      yield* says('I shall look.')
    }
    kernel.begin({
      answer(request) {
        if (asksForSummary(request) || steps >= 9) return kernel.answer(request)
        answers += 1
        return when === 'in an answer' && answers === 5 ? answerThenGoOn() : calls('tool__read')
      },
      async tool() {
        steps += 1
        if (when === 'in a call' && steps === 2) await kernel.ada.post(chat.id, note)
        return { content: [{ type: 'text', text: wordsOf(`Found ${steps}.`, 500) }] }
      },
    })
    expect((await chat.say(task)).name).to.equal('run.completed')
    chat.close()
    return { chat: chat.id, asked: kernel.questions().filter((request) => summaryIn(request) !== undefined) }
  }

  for (const when of ['in a call', 'in an answer'] as const) {
    it(`keeps all requests of the person for the model, verbatim (written ${when})`, async () => {
      const { chat, asked } = await steered(when)
      expect((await summariesOf(kernel.ada, chat)).length).to.be.greaterThan(1)
      expect(asked).to.not.be.empty
      for (const request of asked) {
        const text = JSON.stringify(request.messages.slice(1))
        expect(text.split(task), 'the task').to.have.length(2)
        expect(text.split(note), 'the note').to.have.length(2)
      }
    })
  }
})
