import { expect } from 'chai'
import { readSettings } from './settings.js'

const members = { password: 'p', imap_host: 'imap.example.org', smtp_host: 'smtp.example.org' }
const read = (address: string): string => readSettings({ members: { ...members, address }, origin: 'user' }).address

describe('the address of an e-mail connection', () => {
  it('has one form', () => {
    expect(read(' Help@München.example ')).to.equal('help@xn--mnchen-3ya.example')
  })
  for (const address of [
    'a..b@example.org',
    '<help@example.org>',
    'a@example.org,b@example.org',
    'a\u034Fb@example.org',
    'a@127.0.0.1',
    'a/b@example.org',
  ])
    it(`is refused: ${JSON.stringify(address)}`, () => {
      expect(() => read(address))
        .to.throw()
        .with.property('code', 'channel_connection_invalid')
    })
})

describe('the name in EHLO of an e-mail connection', () => {
  const nameOf = (more: object): string =>
    readSettings({ members: { ...members, address: 'help@münchen.example', ...more }, origin: 'user' }).ehloName

  it('is the domain of the address, or the one that is given', () => {
    expect(nameOf({})).to.equal('xn--mnchen-3ya.example')
    expect(nameOf({ smtp_ehlo_name: ' agents.example.org ' })).to.equal('agents.example.org')
  })
  for (const name of ['a b', 'a\r\nRSET', 'https://a.example'])
    it(`is refused: ${JSON.stringify(name)}`, () => {
      expect(() => nameOf({ smtp_ehlo_name: name }))
        .to.throw()
        .with.property('message')
        .that.includes('smtp_ehlo_name')
    })
})
