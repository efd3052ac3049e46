import type { OAuthClient } from '@agent-service/sdk/services/credentials'
import { expect } from 'chai'
import type { FormRequest, PostForm, ServerResponse } from '../server/post-form.js'
import { createInstantClock } from '../test-support/fakes.js'
import { pollForTokens, requestDeviceCode } from './device-flow.js'

const settings: OAuthClient = {
  deviceUrl: 'https://vendor.test/device',
  tokenUrl: 'https://vendor.test/token',
  clientId: 'client',
  scopes: ['read'],
}
const owner = { userId: 'user-1' }
const code = { deviceCode: 'device-1', userCode: 'AB-12', verificationUrl: 'https://vendor.test', intervalMs: 5_000, lifeMs: 900_000 }
const refused = (name: string, body = {}): ServerResponse => ({ kind: 'refused', code: name, body })
const pending = refused('authorization_pending')
const tokens: ServerResponse = { kind: 'answer', body: { access_token: 'token' } }
const { signal } = new AbortController()

/** An authorization server that returns the answers in order, and repeats the last one. */
function scripted(...answers: readonly ServerResponse[]) {
  const asked: Pick<FormRequest, 'url' | 'form'>[] = []
  const postForm: PostForm = async ({ url, form }) => {
    asked.push({ url, form })
    return answers[Math.min(asked.length, answers.length) - 1] ?? pending
  }
  return { postForm, asked }
}

describe('a device flow', () => {
  const poll = async (...answers: readonly ServerResponse[]) => {
    const clock = createInstantClock()
    const { postForm, asked } = scripted(...answers)
    return { result: await pollForTokens(settings, code, { postForm, owner, clock, signal }), waits: clock.waits, asked }
  }

  it('polls at the interval of the server until the person has accepted', async () => {
    const { result, waits, asked } = await poll(pending, pending, tokens)
    expect(result).to.deep.equal({ kind: 'tokens', body: { access_token: 'token' } })
    expect(waits).to.deep.equal([5_000, 5_000, 5_000])
    expect(asked[0]).to.deep.equal({
      url: 'https://vendor.test/token',
      form: { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'device-1' },
    })
  })

  it('slows down permanently by five seconds, or to the interval of the server', async () => {
    const { waits } = await poll(refused('slow_down'), pending, refused('slow_down', { interval: 30 }), tokens)
    expect(waits).to.deep.equal([5_000, 10_000, 10_000, 30_000])
  })

  it('polls less often while the server cannot be reached, down to once a minute', async () => {
    const down: ServerResponse = { kind: 'unavailable', reason: 'down' }
    const { waits, result } = await poll(down, down, down, down, down, tokens)
    expect(waits).to.deep.equal([5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
    expect(result.kind).to.equal('tokens')
  })

  it('ends exactly when the code expires', async () => {
    const { result, waits } = await poll(pending)
    expect(result).to.deep.equal({ kind: 'failed', reason: 'expired' })
    expect(waits.reduce((sum, wait) => sum + wait, 0)).to.equal(900_000)
  })

  for (const [name, reason] of [
    ['expired_token', 'expired'],
    ['access_denied', 'denied'],
    ['invalid_client', 'refused'],
  ] as const)
    it(`ends with ${name}`, async () => {
      expect((await poll(pending, refused(name))).result).to.include({ kind: 'failed', reason })
    })

  it('ends when its signal aborts', async () => {
    const stop = new AbortController()
    const postForm: PostForm = async () => {
      stop.abort(new Error('cancelled'))
      return pending
    }
    const error: unknown = await pollForTokens(settings, code, { postForm, owner, clock: createInstantClock(), signal: stop.signal }).catch(
      (thrown: unknown) => thrown,
    )
    expect(String(error)).to.contain('cancelled')
  })

  const answer = { device_code: 'd', user_code: 'U', verification_uri: 'https://vendor.test/login', expires_in: 600, interval: 7 }

  it('returns the code and the address at which to enter it', async () => {
    const { postForm, asked } = scripted({ kind: 'answer', body: answer })
    expect(await requestDeviceCode(settings, { postForm, owner, signal })).to.deep.equal({
      ...{ deviceCode: 'd', userCode: 'U', verificationUrl: 'https://vendor.test/login', intervalMs: 7_000, lifeMs: 600_000 },
    })
    expect(asked).to.deep.equal([{ url: 'https://vendor.test/device', form: { scope: 'read' } }])
  })

  for (const [what, given] of [
    ['no code', { kind: 'answer', body: { ...answer, user_code: '' } }],
    ['an address that is not https', { kind: 'answer', body: { ...answer, verification_uri: 'http://vendor.test' } }],
    ['an address that runs a script', { kind: 'answer', body: { ...answer, verification_uri: 'javascript:alert(1)' } }],
    ['a refusal', refused('unauthorized_client')],
    ['nothing', { kind: 'unavailable', reason: 'it could not be reached' }],
  ] as const)
    it(`reports why it cannot begin with ${what}`, async () => {
      expect(await requestDeviceCode(settings, { postForm: scripted(given as ServerResponse).postForm, owner, signal })).to.be.a('string')
    })
})
