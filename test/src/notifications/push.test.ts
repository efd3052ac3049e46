import { createECDH, randomBytes } from 'node:crypto'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Client, createClient, type SignedInPerson, usualPassword } from '../security/support/clients.js'
import { setUpCodeOf } from '../support/set-up-code.js'

describe('devices of people, in the real service', () => {
  let kernel: TestKernel
  let client: Client
  let ada: SignedInPerson
  before(async () => {
    kernel = await createTestKernel()
    client = createClient(kernel.url)
    ada = await client.signUp('ada', usualPassword, setUpCodeOf(kernel))
  })
  after(() => kernel.stop())

  const send = async (method: string, path: string, body?: object) => {
    const { status, json, text } = await client.send(method, path, { headers: ada.authorization, body })
    expect(status, text).to.be.below(300)
    return json
  }
  const deviceAt = (endpoint: string) => {
    const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
    return { endpoint, keys, name: 'Phone', language: 'en' }
  }
  const devices = async () => (await send('GET', '/api/notifications/devices'))['devices'] as readonly object[]

  it('are not added for an address of this machine or of a local network', async () => {
    for (const host of ['127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254', 'localhost', 'push.localhost']) {
      const { status, json } = await client.send('POST', '/api/notifications/devices', {
        headers: ada.authorization,
        body: deviceAt(`https://${host}/a`),
      })
      expect([status, json['code']], host).to.deep.equal([422, 'push_target_invalid'])
    }
    expect(await devices()).to.deep.equal([])
  })

  it('end with the session that added them', async () => {
    await send('POST', '/api/notifications/devices', deviceAt('https://push.invalid/b'))
    expect(await devices()).to.have.length(1)
    await send('POST', '/api/auth/logout')
    ada = await client.signIn('ada')
    expect(await devices()).to.deep.equal([])
  })
})
