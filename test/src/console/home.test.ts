import { fileURLToPath } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { createGate } from '../agents/support/client-view.js'
import { callApi, uploaded } from './chat-support.js'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('the start page of the console', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel({
      plugins: [fileURLToPath(new URL('../../../examples/provider-scripted', import.meta.url))],
      environment: {
        SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
        SERVICE_MODELS: JSON.stringify({
          primary: { provider: 'demo', model: 'scripted', api: 'scripted' },
          small: { provider: 'demo', model: 'scripted', api: 'scripted' },
        }),
      },
    })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('begins a chat with what is asked, once, although answers are lost and the page is reloaded meanwhile', async () => {
    const { page, context, open, inspect, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/')
    expect(await inspect('home-empty')).to.deep.equal([])
    const field = page.getByLabel('What should get done?')
    await field.fill('Hello from the start page')
    // The chat is created, but its answer is lost; everything after that fails.
    const lost = createGate()
    await context.route('**/api/chats', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await route.abort()
      lost.open()
    })
    await context.route('**/api/chats/*/messages', (route) => route.abort())
    await page.keyboard.press('Enter')
    await lost.opened
    await page.locator('.turn.pending').waitFor()
    expect(await inspect('home-sending')).to.deep.equal([])
    await page.reload()
    await page.locator('.turn.pending', { hasText: 'Hello from the start page' }).waitFor()
    await context.unroute('**/api/chats')
    await context.unroute('**/api/chats/*/messages')
    await page.evaluate("window.dispatchEvent(new Event('online'))")
    await page.locator('.turn.pending').waitFor({ state: 'detached' })
    await page.locator('a.item', { hasText: 'Hello from the start page' }).click()
    await page.waitForURL(/\/chats\/[^/]+$/)
    await page.locator('.turn.agent .prose').waitFor()
    const { items: chats } = await callApi<{ readonly items: readonly { readonly id: string }[] }>({ page }, 'GET', '/api/chats')
    expect(chats).to.have.length(1)
    const { items } = await callApi<{ readonly items: readonly { readonly role: string }[] }>(
      { page },
      'GET',
      `/api/chats/${chats[0]?.id}/messages`,
    )
    expect(items.filter(({ role }) => role === 'user')).to.have.length(1)
    await open('/')
    await page.locator('a.item').first().waitFor()
    expect(await inspect('home')).to.deep.equal([])
    await close()
  })

  for (const [name, path] of [
    ['the network is back', 'online'],
    ['the service answers again', 'stream'],
  ] as const)
    it(`sends again what is never answered, and stores it once, when ${name}`, async () => {
      const { page, context, open, close } = await openPage(kernel, { credentials: ada, at: 'none' })
      if (path === 'stream') await context.route('**/api/events', (route) => route.abort())
      await open('/')
      await page.getByLabel('What should get done?').fill(`Hello, although ${name}`)
      // The service has got the message; nothing ever comes back.
      const silent = createGate()
      let attempts = 0
      await context.route('**/api/chats/*/messages', async (route) => {
        attempts += 1
        if (attempts > 1) return route.continue()
        await route.fetch()
        silent.open()
      })
      await page.keyboard.press('Enter')
      await silent.opened
      await page.locator('.turn.pending').waitFor()
      if (path === 'stream') await context.unroute('**/api/events')
      else await page.evaluate("window.dispatchEvent(new Event('online'))")
      await page.waitForURL(/\/chats\/[^/]+$/)
      await page.locator('.turn.agent .prose').waitFor()
      expect(await page.locator('.turn.you').count()).to.equal(1)
      await close()
    })

  it('opens the chat as soon as it is there, with the chosen model and with files', async () => {
    const { page, open, complaints, close } = await openPage(kernel, { credentials: ada })
    // Signing in tries to register first.
    const before = complaints.length
    await open('/')
    await page.getByRole('button', { name: 'Model: scripted' }).click()
    await page.getByRole('option', { name: 'scripted for small tasks' }).click()
    await page
      .locator('.composer input[type=file]')
      .setInputFiles([{ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('eggs') }])
    await uploaded(page, 1)
    await page.getByLabel('What should get done?').fill('Read my list')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/chats\/[^/]+$/)
    await page.locator('.turn.you a.file', { hasText: 'list.txt' }).waitFor()
    await page.locator('.pick-model', { hasText: 'for small tasks' }).waitFor()
    await page.locator('.turn.agent .note', { hasText: 'scripted' }).waitFor()
    expect(complaints.slice(before)).to.deep.equal([])
    await close()
  })

  it('has ideas that the chosen agent can carry out, and writes them into the field behind what is there', async () => {
    const { page, open, complaints, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    const before = complaints.length
    await open('/')
    const ideas = page.getByRole('list', { name: 'Ideas to begin with' })
    await ideas.getByRole('button', { name: 'Plan something that repeats' }).waitFor()
    const [approval, file, ...others] = await ideas.getByRole('button').allInnerTexts()
    expect(approval).to.equal('Introduce yourself, and approve what is noted')
    // Without a sandbox no program draws.
    expect(file).to.be.oneOf(['Draw a chart and save it as a picture', 'Write a checklist and save it as a file'])
    expect(others).to.deep.equal(['Compare three options in a table', 'Plan something that repeats'])
    const height = () => page.locator('.home-ideas').evaluate((place) => place.getBoundingClientRect().height)
    const heightOfFour = await height()
    const field = page.getByLabel('What should get done?')
    await ideas.getByRole('button', { name: 'Compare three options in a table' }).click()
    expect(await field.inputValue()).to.match(/^Compare three ways/)
    await field.and(page.locator(':focus')).waitFor()
    await ideas.getByRole('button', { name: 'Introduce yourself' }).click()
    expect(await field.inputValue()).to.match(/^Ask me what you should call me/)
    await field.fill('In one sentence:')
    await ideas.getByRole('button', { name: 'Compare three' }).click()
    expect(await field.inputValue()).to.match(/^In one sentence:\n\nCompare three/)
    await field.fill('')
    await page.locator('.pick').click()
    await page.getByRole('menuitemradio', { name: 'Editor' }).click()
    await ideas.getByRole('button', { name: 'Write a checklist and save it as a file' }).waitFor()
    expect(await ideas.getByRole('button').count()).to.equal(2)
    // With fewer ideas, what is below does not move.
    expect(await height()).to.equal(heightOfFour)
    expect(complaints.slice(before)).to.deep.equal([])
    await close()
  })

  it('is where new chats begin, from the sidebar, by a shortcut and from the palette', async () => {
    const { page, open, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    const hasFocus = () => page.getByLabel('What should get done?').and(page.locator(':focus')).waitFor()
    await open('/files')
    const first = page.locator('nav.side .side-scroll > :first-child button').first()
    expect([await first.innerText(), await first.getAttribute('title')]).to.deep.equal(['New chat', 'Shift Ctrl O'])
    await first.click()
    await page.waitForURL((url) => url.pathname === '/')
    await hasFocus()
    await page.locator('nav.side a.brand').focus()
    await page.keyboard.press('Control+Shift+O')
    await hasFocus()
    await open('/usage')
    await page.keyboard.press('Control+Shift+O')
    await hasFocus()
    await open('/files')
    await page.keyboard.press('Control+k')
    const commands = page.getByRole('group', { name: 'Commands' }).getByRole('option')
    expect(await commands.first().innerText()).to.match(/^New chat/)
    await commands.first().click()
    await hasFocus()
    await close()
  })
})
