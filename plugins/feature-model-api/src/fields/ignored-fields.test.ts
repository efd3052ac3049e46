import { defineError, ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import { namingIgnored } from './ignored-fields.js'

const explodedError = defineError({ code: 'model_exploded', status: 500, title: 'Exploded', message: () => 'It exploded.' })

describe('an error with ignored members', () => {
  it('names them, and still says in the log where it was thrown', async () => {
    const thrown = explodedError.create({}, { cause: new Error('inside'), retryAfterSeconds: 3 })
    const named = await namingIgnored(async (ignored) => {
      ignored.add('user')
      throw thrown
    }).catch((error: unknown) => error)
    if (!ServiceError.isInstance(named)) throw new TypeError('Another error was thrown.')
    expect(named).to.include({ code: 'model_exploded', status: 500, message: 'It exploded.', retryAfterSeconds: 3 })
    expect(named.details).to.deep.equal({ ignored_parameters: ['user'] })
    expect([named.cause, named.stack]).to.deep.equal([thrown.cause, thrown.stack])
  })
})
