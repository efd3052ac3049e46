import { expect } from 'chai'
import { accountOf } from './members.js'

const members = { client_id: 'user.00000000-0000-4000-8000-000000000000', client_secret: 's', master_password: 'p' }
const serversOf = (server_url: string | undefined, origin: 'system' | 'user' = 'user') =>
  accountOf({ id: '1', origin, members: { ...members, ...(server_url === undefined ? {} : { server_url }) } }).servers

describe('the members of a Bitwarden connection', () => {
  it('name the servers of Bitwarden itself, and one server for all else', () => {
    const cloud = { identity: 'https://identity.bitwarden.com', api: 'https://api.bitwarden.com' }
    for (const url of [undefined, 'https://bitwarden.com', 'https://vault.bitwarden.com/']) expect(serversOf(url)).to.deep.equal(cloud)
    expect(serversOf('https://vault.bitwarden.eu').api).to.equal('https://api.bitwarden.eu')
    expect(serversOf('https://vault.example.org/bw//')).to.deep.equal({
      identity: 'https://vault.example.org/bw/identity',
      api: 'https://vault.example.org/bw/api',
    })
    expect(serversOf('https://evil-bitwarden.com').api).to.equal('https://evil-bitwarden.com/api')
    expect(serversOf('http://vault.lan:8080', 'system').api).to.equal('http://vault.lan:8080/api')
  })

  it('are refused when the address is none, has more in it, or is not secure', () => {
    for (const url of [
      'vault',
      'ftp://a.example',
      'http://a.example',
      'https://u:p@a.example',
      'https://a.example/?q',
      'https://a.example/#f',
    ])
      expect(() => serversOf(url), url)
        .to.throw()
        .with.property('code', 'vault_connection_invalid')
  })

  it('are refused without a personal API key', () => {
    for (const client_id of ['', 'organization.00000000-0000-4000-8000-000000000000', 'user.1'])
      expect(() => accountOf({ id: '1', origin: 'user', members: { ...members, client_id } }))
        .to.throw()
        .with.property('code', 'vault_connection_invalid')
  })

  it('change the fingerprint, each of them', () => {
    const of = (more: Readonly<Record<string, string>>) =>
      accountOf({ id: '1', origin: 'user', members: { ...members, ...more } }).fingerprint
    const all = [{}, { client_secret: 't' }, { master_password: 'q' }, { server_url: 'https://a.example' }].map(of)
    expect(new Set(all).size).to.equal(4)
  })
})
