import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { type ConfigurationClient, configurationClient } from './support/configuration-client.js'
import { type Setting, type SettingsNode, settingsIn } from './support/settings-in.js'

describe('settings over HTTP, guarded by default', function () {
  this.timeout(30_000)
  let kernel: TestKernel
  let admin: Api
  let session: ConfigurationClient
  let script: ConfigurationClient
  let settings: readonly Setting[]

  before(async () => {
    kernel = await createTestKernel({ registration: 'as-configured' })
    admin = await signUp(kernel.url, 'ada')
    const { body } = await admin.request('POST', '/api/auth/tokens', { name: 'script', scopes: ['read', 'write', 'admin'] })
    session = configurationClient(kernel.url, admin.token)
    script = configurationClient(kernel.url, String(body['token']))
    settings = [...settingsIn((await session.get())['schema'] as SettingsNode)]
  })
  after(() => kernel.stop())

  const revision = async (): Promise<string> => String((await session.get())['revision'])

  it('a token, and a session that is not confirmed, change none that its schema does not call harmless', async () => {
    const guarded = settings.filter(({ isHarmless }) => !isHarmless)
    expect(guarded.map(({ path }) => path)).to.include.members([
      // Each was once changed by a token alone.
      ...['plugins.settings.feature-backup.folder', 'sandbox.disabled', 'server.cors_origins', 'server.host', 'server.trusted_proxies'],
      ...[
        'server.external_url',
        'mail.host',
        'memory.backend',
        'providers.any.base_url',
        'auth.allow_registration',
        'plugins.sources',
        'sso.authority',
      ],
    ])
    const match = { 'if-match': await revision() }
    for (const { path } of guarded)
      for (const patch of [{ set: { [path]: null } }, { reset: [path] }, { set: { 'server.log_level': 'warn' }, reset: [path] }])
        for (const [client, code] of [
          [session, 'confirmation_required'],
          [script, 'session_required'],
        ] as const) {
          const { status, body } = await client.send('PATCH', '/api/admin/config', patch, match)
          expect([status, body['code']], JSON.stringify(patch)).to.deep.equal([403, code])
        }
    expect(match).to.deep.equal({ 'if-match': await revision() })
  })

  it('a token resets every one that is called harmless', async () => {
    const harmless = settings.filter(({ isHarmless }) => isHarmless).map(({ path }) => path)
    expect(harmless).to.include.members(['server.log_level', 'cache.entity_ttl_secs', 'inference.timeouts.idle_secs'])
    for (const path of harmless) {
      const { status, body } = await script.patch({ reset: [path] })
      expect(status, `${path}: ${JSON.stringify(body)}`).to.equal(200)
    }
  })
})
