import { type ModelEvent, type ModelRequest, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { createRandom } from '../support/random.js'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from './support/agents-kernel.js'
import { asksForSummary, messageText } from './support/long-chats.js'
import { calls, type Script, says, setScript } from './support/scripted-plugin.js'

/** An answer that has a picture beside its text. */
async function* draws(text: string): AsyncGenerator<ModelEvent> {
  const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
  yield { type: 'response.started' }
  const picture = { type: 'image' as const, media_type: 'image/png', data: 'iVBORw0KGgo=' }
  yield { type: 'response.finished', content: [{ type: 'text', text }, picture], stop_reason: 'stop', usage }
}

/**
 * Within a run the driver keeps the conversation as it goes on; the next run reads it from the
 * store. A model must not see a difference, or no vendor's cache would hit.
 */
describe('the history that a run keeps in memory', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let ada: Person

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
  })
  after(() => agents?.close())

  for (let seed = 1; seed <= 12; seed += 1) {
    it(`equals the one that the next run reads (seed ${seed})`, async () => {
      const random = createRandom(seed)
      const chat = await ada.newChat()
      const stream = await ada.stream({ chatId: chat })
      let left = 0
      const steer = async (chance: number): Promise<void> => {
        if (random.next() < chance) await ada.post(chat, `And this too (${Math.floor(random.next() * 1_000)})`)
      }
      const script: Script = setScript({
        answer: async function* () {
          await steer(0.2)
          left -= 1
          const kind = random.next()
          if (left < 0) yield* kind < 0.3 ? draws('A picture.') : kind < 0.4 ? says('') : says('Done.')
          else yield* kind < 0.5 ? calls('tool__read', 'tool__read') : calls(kind < 0.9 ? 'tool__idempotent' : 'no_such_tool')
        },
        tool: async (name) => {
          await steer(0.3)
          const picture = { type: 'image' as const, media_type: 'image/png', data: 'iVBORw0KGgo=' }
          if (random.next() < 0.2) throw new Error('broken')
          return { content: [{ type: 'text', text: `${name} is done` }, ...(random.next() < 0.3 ? [picture] : [])] }
        },
      })
      for (let turn = 0; turn < 5; turn += 1) {
        left = Math.floor(random.next() * 4)
        const run = await ada.post(chat, `Question ${turn}`)
        const { name, data } = await endOf(stream, run)
        // A model that answers with nothing fails its run; the chat goes on all the same.
        const code = (data['failure'] as { readonly code: string } | undefined)?.code
        expect([name, code]).to.be.deep.oneOf([
          ['run.completed', undefined],
          ['run.failed', 'answer_empty'],
        ])
      }
      expect(script.requests.length).to.be.greaterThan(4)
      for (const [index, request] of script.requests.slice(1).entries()) {
        const before = script.requests[index] as ModelRequest
        expect(request.messages.slice(0, before.messages.length), `request ${index + 1} begins with the one before`).to.deep.equal(
          before.messages,
        )
      }
      stream.close()
    })
  }

  it('has messages written meanwhile after the answer that had not seen them, even if the prompt was sent twice', async () => {
    const chat = await ada.newChat()
    const stream = await ada.stream({ chatId: chat })
    const ask = async (text: string): Promise<void> => {
      expect((await endOf(stream, await ada.post(chat, text))).name).to.equal('run.completed')
    }
    setScript({ answer: () => says('A long answer. '.repeat(20)) })
    await ask('One')
    await ask('Two')
    let refused = false
    const script = setScript({
      answer: async function* (request) {
        if (asksForSummary(request)) return yield* says('Short.')
        if (!refused) {
          refused = true
          await ada.post(chat, 'Wait, this too')
          throw providerError.create({ failure: 'context_overflow', retryable: false, connection: 'c', model: 'm', reason: 'Too long.' })
        }
        yield* says('Done.')
      },
    })
    await ask('Three')
    await ask('Four')
    const said = script.requests
      .filter((request) => !asksForSummary(request))
      .slice(1)
      .map(({ messages }) => messages.slice(2).map((message) => `${message.role} ${messageText(message).split('\n')[0]}`))
    const three = ['user Three']
    const wait = [...three, 'assistant Done.', 'user Wait, this too']
    expect(said).to.deep.equal([three, wait, [...wait, 'assistant Done.', 'user Four']])
    stream.close()
  })
})
