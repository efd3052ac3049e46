import { createSystemClock, createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import * as tokens from '@agent-service/kernel/testing/tokens'
import type { Urls } from '@agent-service/sdk/services/urls'
import { expect } from 'chai'
import { signUp } from '../support/api.js'

describe('the composition of a kernel', function () {
  this.timeout(30_000)
  const kernels: TestKernel[] = []
  const start = async (options: Parameters<typeof createTestKernel>[0] = {}): Promise<TestKernel> => {
    const kernel = await createTestKernel(options)
    kernels.push(kernel)
    return kernel
  }

  afterEach(async () => {
    for (const kernel of kernels.splice(0)) await kernel.stop()
  })

  it('shares no instance between two kernels of one process', async () => {
    const [one, other] = [await start(), await start()]
    const absent = Object.entries(tokens).flatMap(([name, token]) => (one.container.isRegistered(token as never) ? [] : [name]))
    expect(absent).to.deep.equal([])
    for (const [name, token] of Object.entries(tokens)) {
      const [first, second] = [one.container.resolve<unknown>(token), other.container.resolve<unknown>(token)]
      if (typeof first === 'object') expect(first, name).not.to.equal(second)
      expect(one.container.resolve<unknown>(token), `${name} is a singleton`).to.equal(first)
    }
    const ada = await signUp(one.url, 'ada')
    const answer = await fetch(`${other.url}/api/auth/me`, { headers: { authorization: `Bearer ${ada.token}` } })
    expect(answer.status).to.equal(401)
  })

  it('uses a token that a test replaces everywhere', async () => {
    const real = createSystemClock()
    const ahead = 1_000 * 86_400_000
    const kernel = await start({
      override: (container) => container.register(tokens.clockToken, { useValue: { ...real, now: () => real.now() + ahead } }),
    })
    const ada = await signUp(kernel.url, 'ada')
    const profile = await ada.request('GET', '/api/auth/me')
    expect(Date.parse(String(profile.body['created_at']))).to.be.greaterThan(Date.now() + ahead - 60_000)
    const chat = await ada.request('POST', '/api/chats', {})
    expect(Date.parse(String(chat.body['created_at']))).to.be.greaterThan(Date.now() + ahead - 60_000)
  })

  it('names a missing registration at the start', async () => {
    let failure: unknown
    try {
      await start({ override: (container) => container.reset() })
    } catch (error) {
      failure = error
    }
    expect(failure).to.be.instanceOf(Error)
    expect((failure as Error).message).to.match(/Symbol\([a-z-]+\)/)
  })

  it('makes URLs for the actual port', async () => {
    const kernel = await start()
    const urls: Urls = kernel.container.resolve(tokens.urlsToken)
    expect(urls.api('/api/version')).to.equal(`http://localhost:${new URL(kernel.url).port}/api/version`)
  })
})
