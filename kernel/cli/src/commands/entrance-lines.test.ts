import { expect } from 'chai'
import { entranceLines } from './entrance-lines.js'

describe('the lines that lead into the service', () => {
  const linesOf = (more: Partial<Parameters<typeof entranceLines>[0]['entrance']> = {}, demoSecret?: string): string =>
    entranceLines({
      url: 'http://0.0.0.0:3001',
      entrance: { address: undefined, needsAccount: false, setupCode: undefined, ...more },
      demoSecret,
    })
      .map((line) => (typeof line === 'string' ? line : line.text))
      .join('\n')

  it('name the address for signing in, and for the set-up while there is no account', () => {
    expect(linesOf()).to.equal('Sign in:  http://localhost:3001/')
    expect(linesOf({ needsAccount: true })).to.equal('Set it up:  http://localhost:3001/')
    expect(linesOf({ address: 'https://agents.example/', needsAccount: true, setupCode: 'abc' })).to.equal(
      'Set it up:  https://agents.example/?setup_code=abc',
    )
  })

  it('have the secret of the demo behind the #', () => {
    expect(linesOf({ needsAccount: true }, 'secret')).to.include('http://localhost:3001/#demo=secret')
  })
})
