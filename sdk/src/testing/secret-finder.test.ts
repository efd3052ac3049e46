import { expect } from 'chai'
import { createSecretFinder } from './secret-finder.js'

describe('the finder of secrets', () => {
  const secret = 'tok_ada-0123456789'

  it('names the form in which a secret stands, the plain one where several are alike', () => {
    const finder = createSecretFinder([secret])
    expect(() => finder.assertNone(new Error(`cannot serve ${secret}`), 'the error')).to.throw('the error has a secret in it, plain')
    expect(() => finder.assertNone({ cause: Buffer.from(secret).toString('hex') }, 'it')).to.throw('in hex')
    expect(() => finder.assertNone('nothing of it', 'it')).not.to.throw()
  })
})
