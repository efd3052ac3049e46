import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { type ModelEvent, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { writeConfiguration } from '../support/configuration.js'
import { refusing, type ScriptedHttpUpstream, saying, stalling, startScriptedHttpUpstream } from '../support/scripted-http-upstream.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

describe('answers of the console that do not come', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    const target = (model: string) => ({ provider: 'upstream', model, api: 'completions' })
    const primary = { ...target('recorded-model'), fallbacks: [target('spare-model')] }
    agents = await startAgentsKernel({ environment: { SERVICE_MODELS: JSON.stringify({ primary }) } })
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
  })
  after(async () => {
    await closeBrowser()
    await agents?.close()
  })

  it('are waited for with the name of the model, until the first word', async () => {
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
    await page.locator('.chat-pulse', { hasText: /Waiting for recorded-model +\d+ secs?/ }).waitFor()
    expect(await inspect('waiting')).to.deep.equal([])
    gate.open()
    await page.getByText('At last.').waitFor()
    expect(await page.locator('.chat-pulse').count()).to.equal(0)
    expect(complaints).to.deep.equal([])
  })

  it('are named as empty, and asked for again by a button', async () => {
    const { page, inspect, complaints } = opened
    setScript({
      async *answer(): AsyncGenerator<ModelEvent> {
        yield { type: 'response.finished', content: [], stop_reason: 'stop', usage }
      },
    })
    await openChat(opened)
    await ask(opened, 'Say something')
    const failed = page.locator('.chat-failed', { hasText: 'The model returned an empty answer' })
    await failed.waitFor()
    const note = page.locator('.turn.agent .note')
    expect(await note.getByRole('button', { name: /^(Copy|Answer again)/ }).count(), 'nothing to copy, one way to try again').to.equal(0)
    expect(await inspect('empty answer')).to.deep.equal([])
    setScript({ answer: () => says('Something.') })
    await failed.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Something.').waitFor()
    expect(await failed.count()).to.equal(0)
    expect(complaints).to.deep.equal([])
  })

  it('are of another model: the turn says of which, in place of which, and why, also after a reload', async () => {
    const { page, inspect, complaints } = opened
    setScript({
      async *answer({ model, connection }) {
        if (model === 'spare-model') yield* says('From the spare one.')
        else
          throw providerError.create({
            ...{ failure: 'quota_exceeded', retryable: false, connection: connection.handle, model },
            reason: 'The credit of this key is used up.',
          })
      },
    })
    await openChat(opened)
    await ask(opened, 'Who are you?')
    const line = page.getByText('spare-model answered in place of recorded-model. The quota or credit at the provider is used up.', {
      exact: true,
    })
    await line.waitFor()
    expect(await inspect('fallback')).to.deep.equal([])
    await page.reload()
    await page.getByText('From the spare one.').waitFor()
    await line.waitFor()
    setScript({ answer: () => says('From the wanted one.') })
    await ask(opened, 'And now?')
    await page.getByText('From the wanted one.').waitFor()
    await page.locator('.turn.agent .chat-acts').nth(1).waitFor({ state: 'attached' })
    expect(await page.locator('.chat-fallback').count()).to.equal(1)
    expect(complaints).to.deep.equal([])
  })
})

describe('turns of the console that failed at a provider', function () {
  this.timeout(180_000)
  const credentials = { username: 'ada', password: 'a long enough password' }
  const key = 'key-of-upstream'
  let folder: string
  let upstream: ScriptedHttpUpstream
  let kernel: TestKernel
  let opened: ConsolePage

  const start = async (): Promise<void> => {
    kernel = await createTestKernel({ folder, environment: { UPSTREAM_KEY: key, SERVICE_AUTH_ALLOW_REGISTRATION: 'true' } })
    opened = await openPage(kernel, { credentials })
  }
  const stop = async (): Promise<void> => {
    await closeBrowser()
    await kernel?.stop()
  }
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-console-failures-'))
    upstream = await startScriptedHttpUpstream()
    await writeConfiguration(folder, upstream.url, { maxRetries: 4 })
    await start()
  })
  after(async () => {
    await stop()
    await upstream?.close()
    await rm(folder, { recursive: true, force: true })
  })
  // The service remembers the limits of a vendor while it runs.
  beforeEach(async () => {
    await stop()
    await start()
  })

  /** The turn behind a person's message. */
  const answerTo = (said: string) =>
    opened.page.locator('.turn', { has: opened.page.getByText(said, { exact: true }) }).locator('xpath=following-sibling::article[1]')

  it('keep the reason in their place: after later messages, a reload and a restart; “Try again” answers there', async () => {
    const busy = refusing(500, { message: 'It broke.' })
    const cases = [
      ['Refuse my key', [refusing(401, { message: `Incorrect API key provided: ${key}.` })], 'The provider refused the key'],
      ['Know no such model', [refusing(404, { message: 'The model does not exist.' })], 'The provider does not have this model'],
      ['Have no credit', [refusing(429, { message: 'No.', code: 'insufficient_quota' })], 'The quota or credit at the provider is used up'],
      ['Break', [busy, busy, busy, busy, busy], 'The provider has a fault of its own'],
    ] as const
    const chatId = await openChat(opened)
    for (const [said, answers, title] of cases) {
      upstream.script(...answers)
      await ask(opened, said)
      await answerTo(said).getByText(title, { exact: true }).waitFor()
      expect(upstream.requests, said).to.have.length(answers.length)
    }
    upstream.script(saying('Here I am.'))
    await ask(opened, 'Answer')
    await opened.page.getByText('Here I am.').waitFor()

    const check = async (): Promise<void> => {
      for (const [said, , title] of cases) {
        await answerTo(said).getByText(title, { exact: true }).waitFor()
        await answerTo(said).getByRole('button', { name: 'Try again' }).waitFor()
      }
      expect(await opened.page.locator('.chat-failed').count()).to.equal(cases.length)
      expect(await opened.page.locator('.thread > .failed').count()).to.equal(0)
    }
    await check()
    expect(await opened.inspect('chat-failed-turns')).to.deep.equal([])
    await opened.page.reload()
    await check()
    await stop()
    await start()
    await opened.open(`/chats/${chatId}`)
    await check()

    const refused = answerTo('Refuse my key')
    await refused.getByText('Details', { exact: true }).click()
    await refused.getByText('HTTP 401', { exact: true }).waitFor()
    await refused.getByText('provider_error, authentication', { exact: true }).waitFor()
    expect(await refused.innerText())
      .to.contain('[redacted]')
      .and.not.contain(key)
    expect(await opened.inspect('chat-failed-details')).to.deep.equal([])
    const ofBranches = refused.getByText('“Try again” answers here in a new branch. What follows stays in this one.')
    expect(await ofBranches.count(), 'a chat without branches').to.equal(0)
    upstream.script(saying('Now with a key.'))
    await refused.getByRole('button', { name: 'Try again' }).click()
    await opened.page.getByText('Now with a key.').waitFor()
    await opened.page.getByText('Have no credit').waitFor({ state: 'detached' })
    expect(await opened.page.locator('.chat-failed').count()).to.equal(0)
    await opened.page.getByRole('button', { name: 'Earlier branch' }).first().click()
    await ofBranches.waitFor()
    await answerTo('Have no credit').getByText('The quota or credit at the provider is used up').waitFor()
    await check()
    expect(opened.complaints).to.deep.equal([])
  })

  it('lead an administrator to the connection, and tell others to ask one', async () => {
    await openChat(opened)
    upstream.script(refusing(401, { message: 'No.' }))
    await ask(opened, 'As an administrator')
    await opened.page.getByText('Check the key of this connection, or choose another model.').waitFor()
    await opened.page.getByRole('link', { name: 'Show connection “upstream”' }).click()
    await opened.page.locator('li:focus', { hasText: 'upstream' }).waitFor()
    const other = await openPage(kernel, { credentials: { username: 'bob', password: credentials.password } })
    await openChat(other)
    upstream.script(refusing(401, { message: 'No.' }))
    await ask(other, 'As another person')
    await other.page.getByText('Ask an administrator to check the key of this connection, or choose another model.').waitFor()
    expect(await other.page.getByRole('link', { name: /^Show connection/ }).count()).to.equal(0)
    expect(other.complaints).to.deep.equal([])
  })

  it('say in German why, and how to go on', async () => {
    const german = await openPage(kernel, { credentials, locale: 'de-DE' })
    await openChat(german)
    upstream.script(refusing(402, { message: 'Insufficient Balance' }))
    await german.page.getByRole('textbox', { name: 'Nachricht' }).fill('Hallo')
    await german.page.keyboard.press('Enter')
    const failed = german.page.locator('.chat-failed')
    await failed.getByText('Das Kontingent oder Guthaben beim Anbieter ist aufgebraucht', { exact: true }).waitFor()
    await failed.getByText('Lade beim Anbieter Guthaben auf, oder wähle ein anderes Modell.').waitFor()
    await failed.getByRole('button', { name: 'Erneut versuchen' }).waitFor()
  })

  it('count down to the next attempt, also after a reload, and can be stopped there', async () => {
    await openChat(opened)
    upstream.script(refusing(429, { message: 'Slow down.' }, { 'retry-after': '50' }), saying('Too late.'))
    await ask(opened, 'Be patient')
    const note = opened.page.getByText(/^The provider takes no more requests for now\. Attempt 2 of 5 in \d+ seconds\.$/)
    const spoken = opened.page.locator('[aria-live]', { hasText: 'Attempt 2 of 5 in 50 seconds.' })
    await note.first().waitFor()
    await spoken.first().waitFor({ state: 'attached' })
    const seconds = async (): Promise<number> => Number(/in (\d+) seconds/.exec(await answerTo('Be patient').innerText())?.[1])
    const first = await seconds()
    await opened.page
      .locator('.chat-retry')
      .filter({ hasNotText: `in ${first} seconds` })
      .waitFor()
    expect(await seconds()).to.be.below(first)
    expect(await opened.inspect('chat-retry')).to.deep.equal([])
    await opened.page.reload()
    await answerTo('Be patient')
      .getByText(/Attempt 2 of 5 in \d+ seconds\./)
      .waitFor()
    expect(await seconds()).to.be.below(51)
    await opened.page.getByRole('button', { name: 'Stop' }).click()
    await answerTo('Be patient').getByText('Stopped before the first word').waitFor()
    expect(await opened.page.locator('.chat-retry').count()).to.equal(0)
    expect(upstream.requests).to.have.length(1)
    expect(opened.complaints).to.deep.equal([])
  })

  it('retry a passing limit until the answer comes', async () => {
    await openChat(opened)
    upstream.script(refusing(429, { message: 'Slow down.' }, { 'retry-after': '1' }), saying('Here at last.'))
    await ask(opened, 'Try twice')
    await answerTo('Try twice').getByText('Attempt 2 of 5', { exact: false }).waitFor()
    await opened.page.getByText('Here at last.').waitFor()
    expect(await opened.page.locator('.chat-retry').count()).to.equal(0)
  })

  it('say that they were stopped before the first word, after later messages and a reload', async () => {
    const chatId = await openChat(opened)
    const called = new Promise<void>((resolve) => {
      upstream.script((response) => {
        stalling(undefined, () => undefined)(response)
        resolve()
      })
    })
    await ask(opened, 'Wait for me')
    await called
    const { active_run_id: runId } = await callApi(opened, 'GET', `/api/chats/${chatId}`)
    await callApi(opened, 'POST', `/api/runs/${runId}/cancel`)
    const stopped = answerTo('Wait for me').getByText('Stopped before the first word', { exact: true })
    await stopped.waitFor()
    upstream.script(saying('Next.'))
    await ask(opened, 'Go on')
    await opened.page.getByText('Next.').waitFor()
    await stopped.waitFor()
    await opened.page.reload()
    await stopped.waitFor()
    expect(await opened.inspect('chat-stopped-early')).to.deep.equal([])
    // A run may end before it has any message: what a service says then is put in its mouth.
    const list = `**/api/chats/${chatId}/messages*`
    await opened.page.route(list, async (route) => {
      const response = await route.fetch()
      const page = (await response.json()) as { readonly items: readonly { readonly run_id: string; readonly role: string }[] }
      const items = page.items.filter(({ run_id, role }) => run_id !== runId || role === 'user')
      await route.fulfill({ response, json: { ...page, items } })
    })
    await opened.page.reload()
    await stopped.waitFor()
    expect(await opened.page.locator('.chat-failed').count()).to.equal(1)
    await opened.page.unroute(list)
    upstream.script(saying('After all.'))
    await answerTo('Wait for me').getByRole('button', { name: 'Try again' }).click()
    await opened.page.getByText('After all.').waitFor()
    expect(opened.complaints).to.deep.equal([])
  })
})
