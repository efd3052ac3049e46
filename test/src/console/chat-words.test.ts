import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

/** An answer that calls one tool with arguments. */
async function* callsWith(name: string, given: Readonly<Record<string, string>>): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  yield { type: 'tool_call.started', part: 0, provider_call_id: 'vendor-0', name }
  yield { type: 'tool_call.delta', part: 0, arguments_text: JSON.stringify(given) }
  const call = { type: 'tool_call' as const, call_id: 'vendor-0', name, arguments: given }
  yield { type: 'response.finished', content: [call], stop_reason: 'tool_calls', usage }
}

describe('what the chat says of the work of an agent', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
  })
  after(async () => {
    await closeBrowser()
    await agents?.close()
  })

  it('says at once what is waited for, and for how long, in the space of the first word', async () => {
    const { page, inspect, complaints } = opened
    const gate = createGate()
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        await gate.opened
        yield* says('At last.')
      },
    })
    await openChat(opened)
    await ask(opened, 'Take your time')
    const pulse = page.locator('.chat-pulse')
    const placeOf = () => page.locator('.turn.agent .step').evaluate((step) => [step.offsetTop, step.offsetHeight])
    await pulse.getByText('Waiting for recorded-model').waitFor()
    await pulse.getByText(/^\s*([3-9]|\d\d+) secs$/).waitFor()
    expect(await page.locator('[role=status]', { hasText: 'Answering' }).count()).to.equal(1)
    expect(await inspect('pulse')).to.deep.equal([])
    await page.reload()
    const firstShown = await pulse.getByText(/^\s*\d+ secs$/).innerText()
    expect(Number.parseInt(firstShown, 10), 'counted from the start of the run').to.be.at.least(3)
    expect(await pulse.count()).to.equal(1)
    const placeBefore = await placeOf()
    gate.open()
    await page.getByText('At last.').waitFor()
    expect(await pulse.count()).to.equal(0)
    await page.locator('.caret').waitFor({ state: 'detached' })
    expect(await placeOf(), 'the first words stand where the pulse stood').to.deep.equal(placeBefore)
    expect(complaints).to.deep.equal([])
  })

  it('says that nothing has come, with a way to stop, once it is silent for long', async () => {
    const own = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
    const { page, complaints, close } = own
    await page.clock.install()
    setScript({
      async *answer(_request, signal) {
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: 'It begins' }
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        signal.throwIfAborted()
      },
    })
    await openChat(own)
    await ask(own, 'Say something')
    await page.getByText('It begins').waitFor()
    const box = () => page.locator('.turn.agent').boundingBox()
    const before = await box()
    expect(await page.locator('.chat-pulse').count()).to.equal(0)
    await page.clock.runFor(40_000)
    const pulse = page.locator('.chat-pulse')
    await pulse.getByText(/^Nothing has come for (39|40) secs$/).waitFor()
    expect(await box(), 'nothing moves').to.deep.equal(before)
    // The one button that stops is in the composer, whatever is waited for.
    await page.getByRole('button', { name: 'Stop' }).click()
    await pulse.waitFor({ state: 'detached' })
    expect(complaints).to.deep.equal([])
    await close()
  })

  it('tells calls in words, in the language of the person, with their name and arguments inside', async () => {
    const { page, inspect, complaints } = opened
    const gate = createGate()
    setScript({
      async *answer(request) {
        const results = resultsIn(request).length
        if (results === 0) yield* callsWith('write_file', { path: 'notes\u202e.md', content: 'Milk' })
        else if (results === 1) yield* callsWith('read_file', { path: 'missing.md' })
        else {
          await gate.opened
          yield* says('It is noted.')
        }
      },
    })
    const id = await openChat(opened, { tools: ['write_file', 'read_file'], approval: { write_file: 'always' } })
    await ask(opened, 'Note that')
    await page.getByRole('heading', { name: /^Write notes/ }).waitFor()
    const german = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' }, locale: 'de-DE' })
    await german.open(`/chats/${id}`)
    await german.page.getByRole('heading', { name: 'notes<U+202E>.md schreiben' }).waitFor()
    await page.getByRole('button', { name: 'Approve once' }).click()
    const cards = page.locator('.tool')
    await cards.filter({ hasText: 'Wrote notes<U+202E>.md' }).waitFor()
    await cards.filter({ hasText: 'Could not read missing.md' }).waitFor()
    await page.locator('.chat-pulse').getByText('Waiting for recorded-model').waitFor()
    gate.open()
    await page.getByText('It is noted.').waitFor()
    expect(await page.locator('.tool b bdi').first().innerText()).to.equal('notes<U+202E>.md')
    await cards.first().locator('.tool-head').click()
    await cards.first().locator('.tool-name', { hasText: 'Tool write_file' }).waitFor()
    await cards.first().locator('.out', { hasText: '"content": "Milk"' }).waitFor()
    expect(await inspect('tool-words')).to.deep.equal([])
    await german.page.locator('.tool', { hasText: 'notes<U+202E>.md geschrieben' }).waitFor()
    await german.page.locator('.tool', { hasText: 'Konnte missing.md nicht lesen' }).waitFor()
    expect(await german.inspect('tool-words-de')).to.deep.equal([])
    expect([complaints, german.complaints]).to.deep.equal([[], []])
    await german.close()
  })
})
