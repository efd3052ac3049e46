import { ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import { createRedactor } from './create-redactor.js'
import { redactError } from './redact-error.js'

const canary = 'canary-4711-secret'
const redactor = createRedactor({ pinned: [canary] })

describe('an error that leaves the kernel', () => {
  it('has no secret in message, stack, problems, causes and aggregated errors, and is the same error', () => {
    const inner = new AggregateError([new Error(`first ${canary}`), new TypeError('second')], `both ${canary}`)
    const error = new ServiceError({
      code: 'refused',
      status: 500,
      title: 'Refused',
      message: `no ${canary}`,
      options: { cause: new Error(`because of ${canary}`, { cause: inner }), problems: [{ path: 'a', message: `not ${canary}` }] },
    })
    expect(redactError(error, redactor)).to.equal(error)
    const cause = error.cause as Error
    const [first] = inner.errors as readonly Error[]
    const texts = [
      error.message,
      error.stack,
      error.problems[0]?.message,
      cause.message,
      cause.stack,
      inner.message,
      first?.message,
      first?.stack,
    ]
    expect(texts.join('\n')).to.contain('no [redacted]').and.contain('because of [redacted]').and.not.contain(canary)
    expect(ServiceError.isInstance(error) && error.code).to.equal('refused')
  })

  it('is unchanged if there is nothing to mask, or if it cannot be changed', () => {
    const plain = new Error('nothing')
    const { stack } = plain
    expect(redactError(plain, redactor).stack).to.equal(stack)
    for (const thrown of ['text', undefined, null, 7, Object.freeze(new Error(canary))])
      expect(redactError(thrown, redactor)).to.equal(thrown)
  })

  it('may be its own cause', () => {
    const error: Error & { cause?: unknown } = new Error(canary)
    error.cause = error
    expect(redactError(error, redactor).message).to.equal('[redacted]')
  })
})
