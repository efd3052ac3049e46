import { createTestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { startChromium } from './testing/chromium.js'

describe('the browser in the real kernel', () => {
  it('is active, offers its tools, and connects to the configured browser', async () => {
    const chromium = await startChromium()
    const kernel = await createTestKernel({ environment: { SERVICE_BROWSER_WS_URL: chromium.url } })
    try {
      const report = kernel.plugins.report().find(({ id }) => id === 'feature-browser')
      expect(report?.state, report?.reason ?? '').to.equal('active')
      let token = ''
      const ask = async (method: string, target: string, body?: object): Promise<Record<string, unknown>> => {
        const headers = { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) }
        const answer = await fetch(`${kernel.url}${target}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
        return (await answer.json()) as Record<string, unknown>
      }
      token = String((await ask('POST', '/api/auth/register', { username: 'ada', password: 'a long enough password' }))['access_token'])
      expect(await ask('GET', '/api/browser')).to.deep.equal({ available: true, reason: null, sessions: [], profiles: 0 })
      expect(await ask('POST', '/api/admin/browser/test')).to.deep.include({ ok: true, kind: 'devtools' })
      expect(await ask('GET', '/api/admin/browser')).to.deep.include({ available: true, sessions: 0, users: [] })
      // The built-in token is a common word, which is no secret.
      expect(kernel.log.map((line) => String(line['msg']))).to.include('The service is ready.')
    } finally {
      await kernel.stop()
      await chromium.stop()
    }
  })
})
