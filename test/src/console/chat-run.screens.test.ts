import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage, widths } from './open-page.js'

const usage = { input_tokens: 1_200, cached_input_tokens: 0, output_tokens: 300, reasoning_tokens: 0 }

describe('runs in the chat of the console', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel({
      environment: {
        SERVICE_MODELS: JSON.stringify({
          primary: {
            ...{ provider: 'upstream', model: 'recorded-model', api: 'completions' },
            price: { input: 10, cached_input: 1, output: 20 },
          },
        }),
      },
    })
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  /** The same chat in a second tab of the browser. */
  async function secondTab(): Promise<ConsolePage> {
    const page = await opened.context.newPage()
    await page.goto(opened.page.url())
    // Pages behind another one are drawn once a second.
    await opened.page.bringToFront()
    return { ...opened, page }
  }

  it('ask for one call alone: the next one is asked about again, until it is allowed always', async () => {
    const { page, complaints } = opened
    let turn = 0
    setScript({
      answer() {
        turn += 1
        return turn <= 3 ? calls('tool__unsafe') : says('All three are done.')
      },
    })
    await openChat(opened, { tools: ['tool__unsafe'], approval: { '*': 'first_time' } })
    const grants = async () => {
      const { items } = await callApi<{ readonly items: readonly { readonly id: string }[] }>(opened, 'GET', '/api/agents')
      return (await callApi<{ readonly items: readonly unknown[] }>(opened, 'GET', `/api/agents/${items[0]?.id}/grants`)).items.length
    }
    await ask(opened, 'Clean up three times')
    await page.getByRole('button', { name: 'Approve once' }).click()
    await page.locator('.tool').first().waitFor()
    await page.getByRole('button', { name: 'Approve once' }).waitFor()
    expect(await grants()).to.equal(0)
    await page.getByRole('button', { name: 'Always allow…' }).click()
    await page.getByRole('radio', { name: 'Exactly this call' }).check()
    await page.getByRole('button', { name: 'Approve and always allow this' }).click()
    await page.getByText('All three are done.').waitFor()
    expect(await grants()).to.equal(1)
    expect(complaints).to.deep.equal([])
  })

  it('show questions after a reload and in a second tab, where the answer of one ends them in both', async () => {
    const { page, inspect, complaints } = opened
    setScript({
      async *answer(request) {
        if (resultsIn(request).length > 0) return yield* says('Then oak.')
        yield { type: 'response.started' }
        const call = { call_id: 'vendor-0', name: 'ask_user', arguments: { question: 'Which wood?', options: ['Oak', 'Beech'] } }
        yield { type: 'response.finished', content: [{ type: 'tool_call', ...call }], stop_reason: 'tool_calls', usage }
      },
    })
    await openChat(opened, { tools: ['ask_user'] })
    await ask(opened, 'Order the table')
    await page.getByRole('heading', { name: 'Which wood?' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Which wood?' }).waitFor()
    expect(await inspect('chat-question')).to.deep.equal([])
    const other = await secondTab()
    await other.page.getByRole('button', { name: 'Oak' }).click()
    await page.getByText('Then oak.').waitFor()
    await page.getByRole('heading', { name: 'Which wood?' }).waitFor({ state: 'detached' })
    await other.page.close()
    expect(complaints).to.deep.equal([])
  })

  it('show the output of a running call live, after a reload and in a second tab', async () => {
    const { page, inspect, complaints } = opened
    const gate = createGate()
    const printed = createGate()
    setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('It is built.')),
      async tool(_name, _given, { output }) {
        await output('compiling one\ncompiling two\n')
        await printed.opened
        await output('compiling three\n')
        await gate.opened
        return { content: [{ type: 'text', text: 'built in the end' }] }
      },
    })
    await openChat(opened, { tools: ['tool__read'], approval: { '*': 'never' } })
    await ask(opened, 'Build it')
    const out = page.locator('.chat-out')
    await out.filter({ hasText: 'compiling two' }).waitFor()
    await page.reload()
    await out.filter({ hasText: 'compiling two' }).waitFor()
    const other = await secondTab()
    await other.page.locator('.chat-out', { hasText: 'compiling two' }).waitFor()
    printed.open()
    for (const each of [page, other.page]) await each.locator('.chat-out', { hasText: 'compiling three' }).waitFor()
    expect(await out.innerText()).to.equal('compiling one\ncompiling two\ncompiling three')
    expect(await inspect('chat-output')).to.deep.equal([])
    gate.open()
    for (const each of [page, other.page]) await each.getByText('It is built.').waitFor()
    await other.page.reload()
    await other.page.locator('.tool-head').click()
    await other.page.locator('.chat-out', { hasText: 'built in the end' }).waitFor()
    await other.page.locator('.tool-head .meta', { hasText: /sec/ }).waitFor()
    await other.page.close()
    expect(complaints).to.deep.equal([])
  })

  it('have tokens, time and the fill of the context beside them, also after a reload', async () => {
    const { page, complaints } = opened
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        yield { type: 'response.finished', content: [{ type: 'text', text: 'Counted.' }], stop_reason: 'stop', usage }
      },
    })
    await openChat(opened)
    await ask(opened, 'Count')
    const shows = async (): Promise<void> => {
      await page.getByText('Counted.').waitFor()
      await page.locator('.turn.agent .note', { hasText: '1.5k tokens' }).waitFor()
      await page.locator('.turn.agent .note', { hasText: /\d (ms|sec)/ }).waitFor()
      await page.locator('.turn.agent .note', { hasText: '$0.018' }).waitFor()
      await page.locator('.dock-note', { hasText: /^1\.5k of/ }).waitFor()
    }
    await shows()
    await page.reload()
    await shows()
    expect(complaints).to.deep.equal([])
  })

  it('keep their tokens when what was read before their end arrives after it', async () => {
    const { page, complaints } = opened
    const wasRead = createGate()
    const isOver = createGate()
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        await wasRead.opened
        yield { type: 'response.finished', content: [{ type: 'text', text: 'Read early.' }], stop_reason: 'stop', usage }
      },
    })
    const readOne = /\/api\/runs\/[^/?]+$/
    await page.route(readOne, async (route) => {
      const response = await route.fetch()
      wasRead.open()
      await isOver.opened
      await route.fulfill({ response })
    })
    await openChat(opened)
    await ask(opened, 'Count again')
    const tokens = page.locator('.turn.agent .note', { hasText: '1.5k tokens' })
    await tokens.waitFor()
    const late = page.waitForResponse(readOne)
    isOver.open()
    await (await late).finished()
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    expect(await tokens.count()).to.equal(1)
    await page.unroute(readOne)
    expect(complaints).to.deep.equal([])
  })

  it('report why one failed, also after a reload', async () => {
    const { page, inspect } = opened
    setScript({
      // biome-ignore lint/correctness/useYield: it fails before it says anything
      async *answer() {
        throw new Error('The model is on fire.')
      },
    })
    await openChat(opened)
    await ask(opened, 'Burn')
    const failure = page.locator('.chat-failed')
    await failure.waitFor()
    const words = await failure.innerText()
    expect(words).to.not.equal('')
    await page.reload()
    await failure.waitFor()
    expect(await failure.innerText()).to.equal(words)
    expect(await inspect('chat-failed')).to.deep.equal([])
  })

  it('are marked in the bar of a phone, wherever the person is', async () => {
    const { page, open, complaints } = opened
    const gate = createGate()
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: 'Walking' }
        await gate.opened
        yield { type: 'response.finished', content: [{ type: 'text', text: 'Walking home.' }], stop_reason: 'stop', usage }
      },
    })
    await openChat(opened)
    await ask(opened, 'Walk')
    await page.setViewportSize(widths.phone)
    await page.locator('.phone-bar').getByText('Running').waitFor()
    await open('/agents')
    await page.locator('.phone-bar').getByRole('img', { name: 'A chat is running' }).waitFor()
    expect(await opened.inspect('phone-running')).to.deep.equal([])
    gate.open()
    await page.locator('.phone-bar').getByRole('img', { name: 'A chat is running' }).waitFor({ state: 'detached' })
    await page.setViewportSize(widths.wide)
    expect(complaints).to.deep.equal([])
  })

  it('say in every tab that they are being stopped, also after a reload', async () => {
    const { page, context, complaints } = opened
    const gate = createGate()
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: 'Counting: one' }
        await gate.opened
        yield { type: 'response.finished', content: [{ type: 'text', text: 'Counted.' }], stop_reason: 'stop', usage }
      },
    })
    const chatId = await openChat(opened)
    await ask(opened, 'Count')
    await page.getByText('Counting: one').waitFor()
    const { active_run_id: runId } = await callApi(opened, 'GET', `/api/chats/${chatId}`)
    const other = await secondTab()
    await other.page.getByRole('button', { name: 'Stop' }).waitFor()
    // Runs stop at once here: what a service says that needs longer is put in its mouth.
    const { id } = await callApi(opened, 'GET', '/api/auth/me')
    const stopping = { event: 'run.stopping', id: '', data: { chat_id: chatId, run_id: runId } }
    await page.evaluate(
      ([user, event]) => {
        const tabs = new BroadcastChannel(`console.events.${user}`)
        tabs.postMessage({ kind: 'event', event })
        tabs.close()
      },
      [id, stopping] as const,
    )
    for (const each of [page, other.page]) await each.getByRole('button', { name: 'Stopping' }).waitFor()
    const run = `**/api/runs/${runId}`
    await context.route(run, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), cancel_requested_at: new Date().toISOString() } })
    })
    await other.page.reload()
    await other.page.getByRole('button', { name: 'Stopping' }).waitFor()
    await context.unroute(run)
    gate.open()
    for (const each of [page, other.page]) await each.getByRole('button', { name: /Stop/ }).waitFor({ state: 'detached' })
    await other.page.close()
    expect(complaints).to.deep.equal([])
  })

  it('begin once although “Answer again” is clicked twice, in two tabs', async () => {
    const { page, context } = opened
    const script = setScript({ answer: () => says('The same again.') })
    await openChat(opened)
    await ask(opened, 'Once')
    await page.locator('.turn.agent .chat-acts').waitFor()
    const other = await secondTab()
    await other.page.locator('.turn.agent .chat-acts').waitFor()
    const before = script.requests.length
    // The request of one tab waits for that of the other: neither tab knows of the other's click.
    const both = createGate()
    const asked: string[] = []
    await context.route('**/regenerate', async (route) => {
      asked.push(route.request().headers()['idempotency-key'] ?? '')
      if (asked.length === 2) both.open()
      await both.opened
      await route.continue()
    })
    await Promise.all(
      [page, other.page].map((each) =>
        each.evaluate('const again = document.querySelector(\'[aria-label="Answer again"]\'); again.click(); again.click()'),
      ),
    )
    for (const each of [page, other.page]) await each.getByText('2 of 2').waitFor()
    await context.unroute('**/regenerate')
    expect(asked).to.have.length(2)
    expect(new Set(asked).size).to.equal(1)
    expect(script.requests.length - before).to.equal(1)
    await other.page.close()
  })

  it('keep what was read when an older event comes after it', async () => {
    const { page } = opened
    setScript({ answer: () => says('The same again.') })
    const chatId = await openChat(opened)
    await ask(opened, 'Once')
    await page.locator('.turn.agent .chat-acts').waitFor()
    await page.getByRole('button', { name: 'Answer again' }).click()
    await page.getByText('2 of 2').waitFor()
    const { items } = await callApi<{ readonly items: readonly Record<string, unknown>[] }>(opened, 'GET', `/api/chats/${chatId}/messages`)
    const { alternatives, ...message } = items.at(-1) ?? {}
    expect(alternatives).to.have.length(2)
    const { id } = await callApi(opened, 'GET', '/api/auth/me')
    const late = [
      { event: 'message.updated', id: '', data: { chat_id: chatId, message: { ...message, content: [{ type: 'text', text: 'Late.' }] } } },
    ]
    await page.evaluate(
      ([user, events]) => {
        const tabs = new BroadcastChannel(`console.events.${user}`)
        for (const event of events) tabs.postMessage({ kind: 'event', event })
        tabs.close()
      },
      [id, late] as const,
    )
    await page.getByText('Late.').waitFor()
    expect(await page.getByText('2 of 2').count()).to.equal(1)
  })

  it('are of the agent and the model that the person chooses in the chat', async () => {
    const { page, inspect, complaints } = opened
    setScript({ answer: () => says('Here.') })
    await callApi(opened, 'POST', '/api/agents', { name: 'Carpenter', handle: 'carpenter' })
    await openChat(opened)
    await page.locator('.pick').click()
    expect(await inspect('chat-choice')).to.deep.equal([])
    await page.getByRole('menuitemradio', { name: 'Carpenter' }).click()
    await page.locator('.pick', { hasText: 'Carpenter' }).waitFor()
    await ask(opened, 'Who are you?')
    await page.locator('.turn.agent .note', { hasText: 'Carpenter' }).waitFor()
    await page.reload()
    await page.locator('.turn.agent .note', { hasText: 'Carpenter' }).waitFor()
    expect(complaints).to.deep.equal([])
  })
})
