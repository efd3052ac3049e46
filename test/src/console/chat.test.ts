import { type ModelEvent, type ModelRequest, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

describe('the chat of the console', function () {
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
    await agents.close()
  })

  it('streams formatted, and parses finished blocks once, without scripts', async () => {
    const { page, inspect, complaints } = opened
    const gate = createGate()
    setScript({
      async *answer() {
        const pieces = [
          '# Title\n\nA **bold** word and <img src=x onerror=alert(1)>.\n\n```ts\nconst a = 1\n```\n\nThe end ',
          'comes last.',
        ]
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: pieces[0] ?? '' }
        await gate.opened
        yield { type: 'text.delta', part: 0, text: pieces[1] ?? '' }
        yield { type: 'response.finished', content: [{ type: 'text', text: pieces.join('') }], stop_reason: 'stop', usage }
      },
    })
    await openChat(opened)
    await ask(opened, 'Tell me')
    await page.locator('.turn.agent .prose', { hasText: 'The end' }).waitFor()
    const strong = await page.locator('.prose strong').elementHandle()
    expect(await page.locator('.prose img').count()).to.equal(0)
    gate.open()
    await page.locator('.caret').waitFor({ state: 'detached' })
    await page.getByText('The end comes last.').waitFor()
    expect(
      await strong?.evaluate((element) => (element as unknown as { readonly isConnected: boolean }).isConnected),
      'the finished block was made again',
    ).to.equal(true)
    expect(await page.locator('figure.code pre').innerText()).to.contain('const a = 1')
    await page.getByText(/^\d+ tokens$/).waitFor()
    expect(await inspect('chat')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })

  it('shows calls with their state, asks before one runs, and goes on when approved', async () => {
    const { page, inspect, complaints } = opened
    const gate = createGate()
    setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__unsafe') : says('It is done.')),
      async tool(_name, _given, { progress }) {
        await progress({ message: 'scanning 61 archives' })
        await gate.opened
        return { content: [{ type: 'text', text: 'removed 14' }] }
      },
    })
    await openChat(opened, { tools: ['tool__unsafe'], approval: { '*': 'always' } })
    await ask(opened, 'Clean up')
    await page.getByRole('button', { name: 'Approve once' }).waitFor()
    expect(await inspect('chat-approval')).to.deep.equal([])
    await page.getByRole('button', { name: 'Approve once' }).click()
    await page.locator('.chat-out', { hasText: 'scanning 61 archives' }).waitFor()
    expect(await inspect('chat-tool')).to.deep.equal([])
    gate.open()
    await page.getByText('It is done.').waitFor()
    await page.locator('.tool-head').click()
    await page.locator('.chat-out', { hasText: 'removed 14' }).waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('says which agent wrote a message in the place of the person', async () => {
    const { page, complaints } = opened
    setScript()
    const id = await openChat(opened)
    await ask(opened, 'Count the boxes')
    await page.getByText('Hello.').waitFor()
    const document = await callApi<{ readonly messages: readonly { readonly role: string }[] }>(opened, 'GET', `/api/chats/${id}/export`)
    const messages = document.messages.map((each) => (each.role === 'user' ? { ...each, sent_by: { name: 'Planner' } } : each))
    const imported = await callApi<{ readonly id: string }>(opened, 'POST', '/api/chats/import', { ...document, messages })
    await opened.open(`/chats/${imported.id}`)
    await page.locator('.turn.you', { hasText: 'Count the boxes' }).getByText('Planner, in your place').waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('opens again as it was after a reload, also while an answer streams', async () => {
    const { page, complaints } = opened
    const gate = createGate()
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: 'First half, ' }
        await gate.opened
        yield { type: 'text.delta', part: 0, text: 'second half.' }
        yield { type: 'response.finished', content: [{ type: 'text', text: 'First half, second half.' }], stop_reason: 'stop', usage }
      },
    })
    await openChat(opened)
    await ask(opened, 'Two halves')
    await page.getByText('First half,').waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('Not sent yet')
    await page.reload()
    await page.getByText('First half,').waitFor()
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).to.equal('Not sent yet')
    gate.open()
    await page.getByText('First half, second half.').waitFor()
    expect(await page.locator('.turn.agent .prose').allInnerTexts()).to.deep.equal(['First half, second half.'])
    expect(complaints).to.deep.equal([])
  })

  it('sends a message once although its answer was lost and the page reloaded', async () => {
    const own = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
    const { page, context, close } = own
    setScript({ answer: () => says('Read it.') })
    const id = await openChat(own)
    const lost = createGate()
    await context.route('**/api/chats/*/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await route.abort()
      lost.open()
    })
    await ask(own, 'Only once')
    await lost.opened
    await context.unroute('**/api/chats/*/messages')
    await page.reload()
    await page.getByText('Read it.').waitFor()
    await page.locator('.turn.pending').waitFor({ state: 'detached' })
    expect(await page.locator('.turn.you').count()).to.equal(1)
    const stored = (await page.evaluate(async (path) => (await fetch(path)).json(), `/api/chats/${id}/messages`)) as {
      readonly items: readonly { readonly role: string }[]
    }
    expect(stored.items.filter(({ role }) => role === 'user')).to.have.length(1)
    await close()
  })

  it('denies with a reason that the agent reads', async () => {
    const { page } = opened
    const script = setScript({ answer: (request) => (resultsIn(request).length === 0 ? calls('tool__unsafe') : says('Then not.')) })
    await openChat(opened, { tools: ['tool__unsafe'], approval: { '*': 'always' } })
    await ask(opened, 'Clean up')
    await page.getByRole('button', { name: 'Deny…' }).click()
    await page.getByRole('textbox', { name: 'Reason, for the agent' }).fill('Not on a Sunday.')
    await page.getByRole('button', { name: 'Deny', exact: true }).click()
    await page.getByText('Then not.').waitFor()
    expect(JSON.stringify(script.requests.at(-1)?.messages)).to.contain('Not on a Sunday.')
  })

  it('says that it is stopping until the service confirms', async () => {
    const { page, context, complaints } = opened
    setScript({
      async *answer(_request, signal) {
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: 'Counting: one' }
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    await openChat(opened)
    await ask(opened, 'Count')
    await page.getByText('Counting: one').waitFor()
    const gate = createGate()
    await context.route('**/cancel', async (route) => {
      await gate.opened
      await route.continue()
    })
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Stopping' }).waitFor()
    gate.open()
    await page.getByRole('button', { name: /Stop/ }).waitFor({ state: 'detached' })
    await page.getByText('Counting: one').waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('keeps why an answer failed in its own turn, with a way to try again', async () => {
    const { page, inspect, complaints } = opened
    setScript({ answer: refusesKey })
    await openChat(opened)
    await ask(opened, 'Use the wrong key')
    const failed = page.locator('.turn.agent').first().locator('.chat-failed')
    await failed.getByText('The provider refused the key', { exact: true }).waitFor()
    setScript({ answer: () => says('All is well.') })
    await ask(opened, 'And now?')
    await page.getByText('All is well.').waitFor()
    await failed.getByText('The provider refused the key', { exact: true }).waitFor()
    await page.reload()
    await failed.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await inspect('chat-failed-turn')).to.deep.equal([])
    await failed.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.chat-failed').waitFor({ state: 'detached' })
    await page.getByText('All is well.').waitFor()
    expect(complaints).to.deep.equal([])
  })
})

/** A model whose vendor refuses the key. */
// biome-ignore lint/correctness/useYield: it fails before it says anything
async function* refusesKey({ connection, model }: ModelRequest): AsyncGenerator<ModelEvent> {
  throw providerError.create({
    ...{ failure: 'authentication', retryable: false, connection: connection.handle, model },
    ...{ reason: 'Incorrect API key.', httpStatus: 401 },
  })
}
