import { createControlledClock, createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { openStream } from './support/raw-stream.js'

describe('a token in the address', () => {
  const clock = createControlledClock({ now: Date.now() })
  let kernel: TestKernel
  let ada: Api

  before(async () => {
    kernel = await createTestKernel({ clock, environment: { SERVICE_AUTH_ACCESS_TOKEN_EXPIRY_SECS: '60' } })
    ada = await signUp(kernel.url, 'ada')
  })
  after(() => kernel?.stop())

  it('opens the stream of events', async () => {
    const stream = await openStream(kernel.url, `/api/events?token=${ada.token}`)
    expect(stream.status).to.equal(200)
    stream.close()
  })

  it('opens nothing else, and no stream when it is cut', async () => {
    const answers = async (path: string) => {
      const response = await fetch(`${kernel.url}${path}`)
      return [response.status, ((await response.json()) as { readonly code?: string }).code]
    }
    for (const path of ['/api/agents', '/api/chats', '/api/auth/me', '/api/admin/users', '/api/admin/plugins']) {
      expect(await answers(`${path}?token=${ada.token}`), path).to.deep.equal([401, 'unauthenticated'])
    }
    for (const token of [ada.token.slice(0, -2), `${ada.token}a`, 'svc_pat_123', '']) {
      expect(await answers(`/api/events?token=${token}`), token).to.deep.equal([401, 'unauthenticated'])
    }
  })

  it('is in no line of the log', () => {
    const lines = kernel.log.map((line) => JSON.stringify(line)).join('\n')
    expect(lines).to.contain('/api/events')
    expect(lines).to.not.contain(ada.token)
    expect(lines).to.not.contain('token=')
  })

  it('ends its stream when it expires, and opens none afterwards', async () => {
    const stream = await openStream(kernel.url, `/api/events?token=${ada.token}`)
    await clock.advance(61_000)
    await stream.ended
    expect(stream.events.at(-1)).to.deep.include({ name: 'closing', data: { reason: 'credential_ended' } })
    const response = await fetch(`${kernel.url}/api/events?token=${ada.token}`)
    expect([response.status, ((await response.json()) as { readonly code: string }).code]).to.deep.equal([401, 'unauthenticated'])
  })
})
