import { expect } from 'chai'
import { authenticateClient, clientAuthenticationMethods, isClientRefused } from './client-authentication.js'

const house = { clientId: 'house-web.app', clientSecret: 'Q~a.b_c-1+/%$' }
const plain = { clientId: 'house-web.app', clientSecret: 'Q~a.b_c-1' }
const basicOf = (header: string | undefined): string => Buffer.from((header ?? '').replace(/^Basic /, ''), 'base64').toString('utf8')

describe('the authentication of a client', () => {
  it('encodes with Basic only what has to be', () => {
    expect(basicOf(authenticateClient(house, 'client_secret_basic').headers['authorization'])).to.equal(
      'house-web.app:Q~a.b_c-1%2B%2F%25%24',
    )
    expect(basicOf(authenticateClient(plain, 'client_secret_basic').headers['authorization'])).to.equal('house-web.app:Q~a.b_c-1')
    const spaced = authenticateClient({ clientId: 'a b:c', clientSecret: 'ü' }, 'client_secret_basic')
    expect(basicOf(spaced.headers['authorization'])).to.equal('a%20b%3Ac:%C3%BC')
    expect(basicOf(authenticateClient(house, 'client_secret_basic_plain').headers['authorization'])).to.equal('house-web.app:Q~a.b_c-1+/%$')
  })

  it('has id and secret in the form with post, and no header', () => {
    expect(authenticateClient(house, 'client_secret_post')).to.deep.equal({
      headers: {},
      members: { client_id: 'house-web.app', client_secret: 'Q~a.b_c-1+/%$' },
    })
  })

  for (const [what, client, options, expected] of [
    ['both are offered', house, { offered: ['client_secret_post', 'client_secret_basic'] }, ['basic', 'post', 'basic_plain']],
    ['nothing is said', house, {}, ['basic', 'post', 'basic_plain']],
    ['Basic alone is offered', house, { offered: ['client_secret_basic'] }, ['basic', 'basic_plain']],
    ['Basic alone is offered and nothing has to be encoded', plain, { offered: ['client_secret_basic'] }, ['basic']],
    ['post alone is offered', house, { offered: ['client_secret_post'] }, ['post', 'basic', 'basic_plain']],
    ['neither is offered', plain, { offered: ['private_key_jwt'] }, ['post', 'basic']],
    ['post is chosen', house, { method: 'client_secret_post', offered: ['client_secret_basic'] }, ['post']],
    ['Basic is chosen', house, { method: 'client_secret_basic', offered: ['client_secret_post'] }, ['basic', 'basic_plain']],
    ['post has worked', house, { worked: 'client_secret_post' }, ['post', 'basic', 'basic_plain']],
    ['another than the chosen one has worked', house, { method: 'client_secret_post', worked: 'client_secret_basic' }, ['post']],
    ['the id has a colon', { ...house, clientId: 'a:b' }, {}, ['basic', 'post']],
  ] as const)
    it(`is tried by ${expected.join(', ')} if ${what}`, () =>
      expect(clientAuthenticationMethods(client, options)).to.deep.equal(expected.map((name) => `client_secret_${name}`)))

  for (const [refusal, expected] of [
    [{ status: 401, code: 'invalid_client' }, true],
    [{ status: 400, code: 'invalid_client' }, true],
    [{ status: 401, code: 'unauthorized_client' }, true],
    [{ status: 401 }, true],
    [{ status: 401, code: 'invalid_grant' }, false],
    [{ status: 400, code: 'invalid_grant' }, false],
    [{ status: 400, code: 'unauthorized_client' }, false],
    [{ status: 401, code: 'access_denied' }, true],
    [{ status: 200, code: 'incorrect_client_credentials' }, true],
    [{ status: 401, code: 'refresh_token_reused' }, false],
    [{ status: 503 }, false],
  ] as const)
    it(`${expected ? 'failed' : 'did not fail'} with ${JSON.stringify(refusal)}`, () => expect(isClientRefused(refusal)).to.equal(expected))
})
