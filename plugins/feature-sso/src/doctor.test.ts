import { describeDoctorCheck } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createSsoCheck } from './doctor.js'
import type { ProviderConnection } from './provider/provider-connection.js'

const secret = 'client-secret-of-this-house'
const settings = { authority: 'http://127.0.0.1:1', client_secret: secret, token_endpoint_auth_method: 'client_secret_basic' } as const
const metadata = { issuer: settings.authority, token_endpoint_auth_methods_supported: ['client_secret_post'] }
const connectionOf = (open: () => Promise<unknown>) => ({ open, isAllowed: () => true, forget: () => undefined }) as ProviderConnection
const unreachable = connectionOf(() => Promise.reject(new TypeError('fetch failed', { cause: new Error(`no login with ${secret}`) })))

describeDoctorCheck({
  name: 'of single sign-on',
  create: () =>
    createSsoCheck(
      settings,
      connectionOf(async () => ({ configuration: { serverMetadata: () => metadata } })),
    ),
  broken: () => createSsoCheck(settings, unreachable),
  secrets: [secret],
  state: 'not applicable',
})
describeDoctorCheck({
  name: 'of single sign-on, which is off',
  create: () => createSsoCheck(settings, undefined),
  broken: 'not applicable',
  secrets: [secret],
  state: 'not applicable',
})

describe('what doctor says about single sign-on', () => {
  it('ends when it is aborted while the provider does not answer', async () => {
    const check = createSsoCheck(
      settings,
      connectionOf(() => new Promise(() => undefined)),
    )
    const controller = new AbortController()
    const outcome = check.run({ signal: controller.signal }).catch((error: unknown) => error)
    controller.abort(new Error('stopped'))
    expect(await outcome).to.have.property('message', 'stopped')
  })
})
