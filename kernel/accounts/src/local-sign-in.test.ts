import { signInPolicyOf } from '@agent-service/kernel-core/config'
import { endTestStores } from '@agent-service/kernel-core/events/testing'
import { expect } from 'chai'
import { type AuthUnderTest, codeOf, openAuthUnderTest } from './testing/auth-under-test.js'

describe('local sign-in while single sign-on is the only way in', () => {
  let open: AuthUnderTest
  let auth: AuthUnderTest
  const password = 'ada-secret-1'

  beforeEach(async () => {
    open = await openAuthUnderTest()
    auth = await openAuthUnderTest({ store: open.store, signInPolicy: { singleSignOn: true, localSignIn: false } })
  })
  afterEach(endTestStores)

  it('is closed to everybody: signing up, the first account and what an admin registers among it, signing in, changing the password', async () => {
    const body = { username: 'ada', password }
    expect(await codeOf(auth.call('register', { body, loopback: true }))).to.equal('local_auth_disabled')
    const { access_token: token } = await open.register('ada')
    const principal = await auth.principal(token)
    expect(await codeOf(auth.call('register', { body: { ...body, username: 'bob' }, principal }))).to.equal('local_auth_disabled')
    expect(await codeOf(auth.call('login', { body }))).to.equal('local_auth_disabled')
    expect(await codeOf(auth.call('login', { body: { ...body, password: 'wrong' } }))).to.equal('local_auth_disabled')
    const change = { current_password: password, new_password: 'battery staple' }
    expect(await codeOf(auth.call('changePassword', { body: change, principal }))).to.equal('local_auth_disabled')
  })

  it('leaves sessions, personal access tokens and the accounts that admins prepare', async () => {
    const { access_token: token, ...registered } = await open.register('ada')
    const principal = await auth.principal(token)
    const made = await auth.call('createToken', { principal, body: { name: 'script' } })
    expect((await auth.principal((made.json as { readonly token: string }).token)).userId).to.equal(registered.user.id)
    const { status } = await auth.call('createUser', {
      principal,
      body: { username: 'bob', password: 'bob-secret-1', email: 'bob@example.org' },
    })
    expect(status).to.equal(201)
  })

  it('is told by the configuration of sign-in', async () => {
    expect((await auth.call('getAuthConfiguration')).json).to.deep.include({ local_auth: false, sso: { enabled: true } })
    expect((await open.call('getAuthConfiguration')).json).to.deep.include({ local_auth: true, sso: { enabled: false } })
  })
})

describe('which ways in are open', () => {
  it('is read from the effective values, and closes what nobody can read', () => {
    const policy = (values: Parameters<typeof signInPolicyOf>[0], environment: Readonly<Record<string, string>> = {}) => {
      const { singleSignOn, localSignIn } = signInPolicyOf(values, environment)
      return [singleSignOn, localSignIn]
    }
    expect(policy({ sso: { enabled: true, disable_local_auth: false } })).to.deep.equal([true, true])
    expect(policy({ sso: { enabled: true, disable_local_auth: true } })).to.deep.equal([true, false])
    expect(policy({ sso: { enabled: false, disable_local_auth: true } })).to.deep.equal([false, false])
    expect(policy({})).to.deep.equal([false, true])
    for (const name of ['SERVICE_SSO_DISABLE_LOCAL_AUTH', 'SERVICE_SSO__DISABLE_LOCAL_AUTH', 'SERVICE_SSO'])
      expect([name, ...policy({}, { [name]: 'true' })]).to.deep.equal([name, false, false])
    expect(policy({}, { SERVICE_SSO_ENABLED: '', SERVICE_SSOX: 'true' })).to.deep.equal([false, true])
  })
})
