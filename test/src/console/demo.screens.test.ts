import { fileURLToPath } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { closeBrowser, openPage } from './open-page.js'

const source = fileURLToPath(new URL('../../../examples/provider-scripted', import.meta.url))
const environment = {
  SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
  SERVICE_MODELS: JSON.stringify({ primary: { provider: 'demo', model: 'demo', api: 'scripted' } }),
}

describe('the link of the demo in the console', function () {
  this.timeout(60_000)
  let kernel: TestKernel | undefined
  afterEach(async () => {
    await kernel?.stop()
    kernel = undefined
  })
  after(closeBrowser)

  it('leads to the start page, where the demo answers, leaves the address bar and the history, and works once', async () => {
    kernel = await createTestKernel({ plugins: [source], environment, demo: true })
    const secret = kernel.auth.issueDemoLink?.() ?? ''
    const { page, complaints, close } = await openPage(kernel)
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`))
    const answer = await page.goto(`/#demo=${secret}`)
    expect(answer?.headers()['referrer-policy']).to.equal('no-referrer')
    await page.getByLabel('What should get done?').fill('Hello!')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/chats\/[^/#]+$/)
    await page.getByText('Ask me what time it is').first().waitFor()
    await page.goBack()
    expect(page.url()).not.to.include(secret)
    expect(asked.filter((line) => line.includes(secret))).to.deep.equal([])
    expect(JSON.stringify(kernel.log)).not.to.include(secret)
    expect(complaints).to.deep.equal([])
    await close()

    const again = await openPage(kernel)
    await again.page.goto(`/#demo=${secret}`)
    await again.page.getByText('The link works once').first().waitFor()
    expect(again.page.url()).not.to.include(secret)
    expect(await again.inspect('demo-link-used')).to.deep.equal([])
    await again.close()
  })

  it('is not there in production', async () => {
    kernel = await createTestKernel({ plugins: [source], environment: { ...environment, NODE_ENV: 'production' }, demo: true })
    expect(kernel.auth.issueDemoLink).to.equal(undefined)
    const answer = await fetch(`${kernel.url}/api/auth/demo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: 'a'.repeat(43) }),
    })
    expect(answer.status).to.equal(404)
  })

  it('is not there where the service serves others too', async () => {
    kernel = await createTestKernel({ environment: { SERVICE_SERVER_BASE_URL: 'https://agents.example' }, demo: true })
    expect(kernel.auth.issueDemoLink).to.equal(undefined)
  })
})
