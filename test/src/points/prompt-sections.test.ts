import type { ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { calls, resultsIn, type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { confirm } from '../support/api.js'
import { type Asker, askerOf, type PointsKernel, startPointsKernel } from './support/points-kernel.js'
import { clearDesk, type Desk } from './support/points-plugin.js'

const textsIn = (message: ModelMessage | undefined): readonly string[] =>
  (message?.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []))

describe('sections of the prompt that plugins add', function () {
  this.timeout(60_000)
  let kernel: PointsKernel
  let ada: Asker
  let desk: Desk
  let script: Script

  before(async () => {
    kernel = await startPointsKernel()
    ada = await askerOf(kernel.agents, 'ada')
  })
  beforeEach(() => {
    desk = clearDesk()
    script = setScript()
  })
  after(async () => {
    ada?.stream.close()
    await kernel?.close()
  })

  it('follow the instructions in order, changing ones follow the conversation; both know whose call it is', async () => {
    for (const id of ['rules', 'lore', 'weather']) desk.sections.set(id, async ({ agent }) => ` ${id} for ${agent.handle} `)
    const { chatId, runId, end } = await ada.ask('Hello')
    expect(end).to.equal('run.completed')
    const [request] = script.requests
    expect(textsIn(request?.messages[0]).slice(1)).to.deep.equal(['lore for assistant', 'rules for assistant'])
    expect(request?.messages.at(-1)).to.deep.equal({ role: 'system', content: [{ type: 'text', text: 'weather for assistant' }] })
    expect(request?.messages.at(-2)?.role).to.equal('user')
    const [first] = desk.asked
    expect(first?.context).to.include({ userId: ada.person.userId, chatId, runId, spaceId: null, timezone: 'UTC', maxTokens: 2_000 })
    expect(first?.context.agent).to.include({ id: ada.person.agentId }).and.to.have.deep.property('memory', { enabled: true })
  })

  it('leave the earlier part of the prompt unchanged, however often changing sections change', async () => {
    desk.sections.set('lore', async () => 'The same.')
    let call = 0
    desk.sections.set('weather', async () => `Rain, report ${++call}.`)
    script = setScript({ answer: (request) => (resultsIn(request).length < 2 ? calls('tool__read') : says('Done.')) })
    const { chatId } = await ada.ask('Look twice')
    await ada.ask('And again', chatId)
    const requests = script.requests.map(({ messages }) => messages)
    expect(requests.length).to.be.greaterThan(3)
    for (const [index, messages] of requests.entries()) {
      expect(textsIn(messages.at(-1))).to.deep.equal([`Rain, report ${index + 1}.`])
      const before = JSON.stringify((requests[index - 1] ?? []).slice(0, -1)).slice(0, -1)
      expect(JSON.stringify(messages).startsWith(before), `request ${index} begins with the one before`).to.equal(true)
    }
  })

  it('are cut with a mark when they are too long', async () => {
    desk.sections.set('rules', async () => 'No. '.repeat(1_000))
    await ada.ask('Hello')
    const text = textsIn(script.requests[0]?.messages[0]).at(-1) ?? ''
    expect(text).to.match(/^(No\. )+.*\n\[cut: \d+ of 3999 characters left out\]$/)
    expect(text.length).to.be.greaterThan(700).and.to.be.at.most(800)
  })

  it('are omitted from a call when they fail, are slow or are not texts, with a line in the log, and the run continues', async () => {
    desk.sections.set('rules', async () => 'These rules.')
    desk.sections.set('lore', () => new Promise(() => undefined))
    desk.sections.set('weather', async () => {
      throw new Error('No station.')
    })
    const before = kernel.lines('A prompt section is left out of this call.').length
    expect((await ada.ask('Hello')).end).to.equal('run.completed')
    const [request] = script.requests
    expect(textsIn(request?.messages[0]).slice(1)).to.deep.equal(['These rules.'])
    expect(request?.messages.at(-1)?.role).to.equal('user')
    const lines = kernel.lines('A prompt section is left out of this call.').slice(before)
    expect(lines.map((line) => line['section']).sort()).to.deep.equal(['town-hall-lore', 'town-hall-weather'])
    desk.sections.set('lore', async () => 7 as never)
    desk.sections.delete('weather')
    await ada.ask('Hello again')
    expect(textsIn(script.requests[1]?.messages[0]).slice(1)).to.deep.equal(['These rules.'])
  })

  it('include those of a space, and end with their plugin', async () => {
    const { body: space } = await ada.person.request('POST', '/api/spaces', { name: 'Garden', context: 'We grow beans.' })
    const chatId = await ada.person.newChat()
    await ada.person.request('PATCH', `/api/chats/${chatId}`, { space_id: space['id'] })
    desk.sections.set('lore', async ({ spaceId }) => `In ${spaceId}.`)
    await ada.ask('Hello', chatId)
    const texts = textsIn(script.requests[0]?.messages[0]).slice(1)
    expect(texts[0]).to.include('We grow beans.')
    expect(texts[1]).to.equal(`In ${String(space['id'])}.`)
    const plugin = '/api/admin/plugins/town-hall'
    await confirm(ada.person)
    expect((await ada.person.request('POST', `${plugin}/disable`)).status).to.equal(200)
    await ada.ask('Hello', chatId)
    expect(textsIn(script.requests[1]?.messages[0])).to.have.length(2)
    expect((await ada.person.request('POST', `${plugin}/enable`)).status).to.equal(200)
  })
})

describe('sections of the prompt in a small window', function () {
  this.timeout(60_000)

  it('shrink by priority: requested again with fewer tokens', async () => {
    // A third of 6,000 tokens is for all of them; what changes keeps its 100. Credentials would keep 400 more.
    const kernel = await startPointsKernel({
      SERVICE_PLUGINS_DISABLED: '["provider-openai","feature-agent-credentials"]',
      SERVICE_MODELS__PRIMARY__CONTEXT_WINDOW: '12000',
      SERVICE_MODELS__PRIMARY__MAX_TOKENS: '6000',
    })
    const desk = clearDesk()
    const script = setScript()
    try {
      const ada = await askerOf(kernel.agents, 'ada')
      await ada.give({ tools: [], instructions: '' })
      desk.sections.set('rules', async () => 'r'.repeat(800))
      desk.sections.set('lore', async ({ maxTokens }) => 'l'.repeat(Math.min(8_000, 4 * maxTokens)))
      desk.sections.set('weather', async () => 'Rain.')
      await ada.ask('Hello')
      const asked = desk.asked.map(({ section, context }) => `${section} ${context.maxTokens}`)
      expect(asked.filter((text) => text.startsWith('rules'))).to.deep.equal(['rules 200'])
      expect(asked.filter((text) => text.startsWith('lore'))).to.deep.equal(['lore 2000', 'lore 1700'])
      const texts = textsIn(script.requests[0]?.messages[0]).slice(1)
      expect(texts.map((text) => `${text[0]}${text.length}`)).to.deep.equal(['l6800', 'r800'])
      // One that says the same whatever it is given is cut.
      desk.sections.set('rules', async () => 'r'.repeat(800))
      desk.sections.set('lore', async () => 'l'.repeat(8_000))
      await ada.ask('Hello')
      const [cut, kept] = textsIn(script.requests[1]?.messages[0]).slice(1)
      expect(cut).to.match(/^l+\n\[cut: \d+ of 8000 characters left out\]$/)
      expect([cut?.length ?? 0, kept?.length]).to.satisfy(([first = 0, second]: readonly number[]) => first <= 6_800 && second === 800)
      ada.stream.close()
    } finally {
      await kernel.close()
    }
  })
})
