import { createRedactor } from '@agent-service/kernel-core/log'
import { expect } from 'chai'
import { createRedaction } from './create-redaction.js'

describe('redaction', () => {
  it('masks what the log masks, in texts of any length', () => {
    const redactor = createRedactor()
    redactor.protect('value-of-key')
    const { redact } = createRedaction({ redactor })
    expect(redact('')).to.equal('')
    expect(redact('Tea, as ever.')).to.equal('Tea, as ever.')
    const words = 'one more line of words\n'.repeat(3_000)
    expect(redact(words)).to.equal(words)
    expect(redact(`${words}value-of-key ${words}Bearer abcdefghij`)).to.equal(`${words}[redacted] ${words}Bearer [redacted]`)
    expect(redact('x'.repeat(40_000))).to.have.length(40_000)
  })
})
