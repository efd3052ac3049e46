import { createRedactor } from '@agent-service/kernel-core/log'
import { expect } from 'chai'
import { createSecrets } from './create-secrets.js'

describe('secrets', () => {
  const make = () => {
    const redactor = createRedactor()
    const environment = { KEY: 'value-of-key', OTHER: 'value-${KEY}', EMPTY: '', MASTER: 'the-encryption-secret' }
    return { redactor, secrets: createSecrets({ environment, redactor, isReserved: (name) => name === 'MASTER' }) }
  }

  it('resolves references when they are used, once, and protects the values', () => {
    const { secrets, redactor } = make()
    expect(redactor.text('value-of-key')).to.equal('value-of-key')
    expect(secrets.resolve('${KEY}')).to.deep.equal({ value: 'value-of-key' })
    expect(secrets.resolve('a-${KEY}-b')).to.deep.equal({ value: 'a-value-of-key-b' })
    expect(secrets.resolve('${OTHER}')).to.deep.equal({ value: 'value-${KEY}' })
    expect(redactor.text('x value-of-key a-value-of-key-b')).to.equal('x [redacted] [redacted]')
  })

  it('returns a text without references unchanged', () => {
    const { secrets, redactor } = make()
    expect(secrets.resolve('inline-secret$KEY')).to.deep.equal({ value: 'inline-secret$KEY' })
    expect(redactor.text('inline-secret$KEY')).to.equal('[redacted]')
  })

  it('gives the encryption secret to no plugin', () => {
    const { secrets } = make()
    expect(secrets.resolve('${MASTER}')).to.deep.equal({ missing: 'MASTER' })
    expect(secrets.resolve('a-${KEY}-${MASTER}')).to.deep.equal({ missing: 'MASTER' })
  })

  it('names the first variable that is not set or empty', () => {
    const { secrets } = make()
    expect(secrets.resolve('${KEY}${NONE}${EMPTY}')).to.deep.equal({ missing: 'NONE' })
    expect(secrets.resolve('${EMPTY}')).to.deep.equal({ missing: 'EMPTY' })
    expect(secrets.resolve('${toString}')).to.deep.equal({ missing: 'toString' })
  })

  it('protects the given values', () => {
    const { secrets, redactor } = make()
    secrets.protect('given-value')
    expect(redactor.text('a given-value')).to.equal('a [redacted]')
  })
})
