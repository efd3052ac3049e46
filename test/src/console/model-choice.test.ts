import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { ask, callApi, openChat } from './chat-support.js'
import { type ModelUpstream, startModelUpstream } from './model-upstream.js'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

describe('choosing a model of a provider of the OpenAI protocol in the console', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  let upstream: ModelUpstream
  before(async () => {
    upstream = await startModelUpstream()
    const house = (model: string) => ({ provider: 'house', model, api: 'completions' })
    const many = Array.from({ length: 150 }, (_, index) => [`more-${index}`, house(`spare-${index}`)])
    kernel = await createTestKernel({
      environment: {
        SERVICE_PROVIDERS: JSON.stringify({
          house: { provider: 'house', adapter: 'adapter_alpha', base_url: upstream.url, api_key: 'sk-right' },
          openai: { base_url: upstream.url, api_key: 'sk-right' },
          ollama: { base_url: upstream.url },
        }),
        SERVICE_MODELS: JSON.stringify({
          primary: house('house-small'),
          deep: house('house-large'),
          embedding: house('text-embedding-house'),
          vectors: { provider: 'openai', model: 'text-embedding-3-small' },
          work: { provider: 'openai', model: 'gpt-4.1' },
          again: { provider: 'openai', model: 'gpt-4.1' },
          local: { provider: 'ollama', model: 'llama3.2' },
          ...Object.fromEntries(many),
        }),
      },
    })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
    await upstream.close()
  })

  it('is by name, with what it can do and costs, and the chosen one answers', async () => {
    const opened = await openPage(kernel, { credentials: ada })
    const { page, inspect, complaints, close } = opened
    const before = complaints.length
    const chat = await openChat(opened, { titles: { enabled: false } })
    await page.getByRole('button', { name: 'Model: house-small' }).click()
    const field = page.getByRole('combobox', { name: 'Find a model' })
    const options = page.getByRole('option')
    await options.first().waitFor()
    expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).to.equal(true)
    expect(await options.first().textContent()).to.contain('Same as the agent: house-small')
    expect(await options.first().getAttribute('aria-selected')).to.equal('true')
    expect(await inspect('model-picker')).to.deep.equal([])
    // What the service or the model's name says is for vectors is not offered.
    expect(await options.filter({ hasText: 'embedding' }).count()).to.equal(0)

    await field.fill('gpt')
    await page.getByText('2 models').waitFor({ state: 'attached' })
    const text = (await options.allTextContents()).join('\n')
    expect(text).to.contain('GPT-4.1 work').and.contain('GPT-4.1 again')
    expect(text).to.contain('pictures · PDF files · tools · 1m tokens of context').and.contain('$2 in, $8 out per million tokens')
    await field.fill('ollama')
    expect(await page.getByRole('group', { name: 'Ollama' }).textContent()).to.contain('free, runs locally')
    await field.fill('nothing like this')
    await page.getByText('No model matches.').waitFor()

    await field.fill('house large')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Model: house-large' }).waitFor()
    await ask({ page }, 'Hello')
    await page.locator('.turn.agent').getByText('Hello from the house.').waitFor()
    expect(upstream.called).to.deep.equal(['house-large'])
    expect((await callApi({ page }, 'GET', `/api/chats/${chat}`))['model']).to.equal('deep')
    expect(complaints.slice(before)).to.deep.equal([])
    await close()
  })

  it('works with the keyboard alone, in a long list, and goes back to the agent’s own', async () => {
    const opened = await openPage(kernel, { credentials: ada, at: 'none' })
    const { page, complaints, close } = opened
    await opened.open('/')
    const button = page.getByRole('button', { name: 'Model: house-small' })
    await button.focus()
    await page.keyboard.press('Enter')
    const active = () => page.locator('.model-list .active').textContent()
    await page.getByText('Same as the agent: house-small').waitFor()
    await page.keyboard.press('ArrowUp')
    expect(await active()).to.contain('Llama 3.2')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Escape')
    expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).to.equal(true)
    await page.keyboard.press('Enter')
    await page.keyboard.type('large')
    await page.keyboard.press('Enter')
    const chosen = page.getByRole('button', { name: 'Model: house-large' })
    await chosen.click()
    // It was used last, so it comes first and no second time.
    await page.getByRole('group', { name: 'Recently used' }).getByText('house-large').waitFor()
    expect(await page.getByRole('option', { name: /house-large/ }).count()).to.equal(1)
    expect(await page.getByRole('option', { name: /house-large/ }).getAttribute('aria-selected')).to.equal('true')
    // Between them is the choice of a second model.
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await button.waitFor()
    expect(complaints).to.deep.equal([])
    await close()
  })
})
