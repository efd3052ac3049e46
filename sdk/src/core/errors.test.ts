import { expect } from 'chai'
import { defineError, ServiceError } from './errors.js'

const brokenError = defineError<{ readonly what: string }>({
  code: 'broken',
  status: 409,
  title: 'Broken',
  message: ({ what }) => `${what} is broken.`,
})

describe('an error definition', () => {
  it('makes errors with code, status, message, details and cause', () => {
    const cause = new Error('deeper')
    const error = brokenError.create({ what: 'The cup' }, { cause, problems: [{ path: 'a.b', message: 'is wrong' }], retryAfterSeconds: 3 })
    expect(error).to.include({ code: 'broken', status: 409, title: 'Broken', message: 'The cup is broken.', cause, retryAfterSeconds: 3 })
    expect(error.details).to.deep.equal({ what: 'The cup' })
    expect(error.problems).to.deep.equal([{ path: 'a.b', message: 'is wrong' }])
  })

  it('knows its own and no others', () => {
    const other = defineError<Record<string, never>>({ code: 'other', status: 400, title: 'Other', message: () => 'Other.' })
    expect(brokenError.isInstance(brokenError.create({ what: 'It' }))).to.equal(true)
    expect(brokenError.isInstance(other.create({}))).to.equal(false)
    expect(ServiceError.isInstance(other.create({}))).to.equal(true)
    for (const value of [undefined, null, 'broken', new Error('broken'), { code: 'broken' }]) {
      expect(brokenError.isInstance(value)).to.equal(false)
      expect(ServiceError.isInstance(value)).to.equal(false)
    }
  })

  it('is known across copies of the SDK', async () => {
    const copy = (await import(`${new URL('./errors.js', import.meta.url).href}?copy=1`)) as typeof import('./errors.js')
    const error = copy
      .defineError<{ readonly what: string }>({ code: 'broken', status: 409, title: 'Broken', message: () => 'From the copy.' })
      .create({ what: '' })
    expect(error instanceof ServiceError).to.equal(false)
    expect(ServiceError.isInstance(error)).to.equal(true)
    expect(brokenError.isInstance(error)).to.equal(true)
  })
})
