import { Type } from '@agent-service/sdk'
import { defineRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'

const member = Type.Object({ count: Type.Integer({ minimum: 1 }) })

describe('the detail of a request that is not valid', () => {
  let server: TestServer
  const route = defineRoute({
    method: 'POST',
    path: '/api/dice/{sides}',
    operationId: 'rollDice',
    summary: 'Roll dice',
    auth: 'public',
    params: Type.Object({ sides: Type.Integer() }),
    query: Type.Object({ seed: Type.Optional(Type.Integer()) }),
    body: { kind: 'json', schema: Type.Object({ name: Type.String(), 'a/b': Type.Optional(Type.Array(member)) }), limit: 2_000_000 },
    answers: { 200: { description: 'The dice.', schema: Type.Object({}) } },
    handle: async () => ok({}),
  })
  before(async () => {
    server = await startTestServer({ routes: [route] })
  })
  after(() => server.close())

  const problemOf = async (body: unknown, target = '/api/dice/6') => {
    const headers = { 'content-type': 'application/json' }
    const answer = await server.fetch(target, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).to.equal(422)
    return (await answer.json()) as { readonly detail: string; readonly errors: readonly { readonly path: string }[] }
  }
  const invalidBody = 'The body of the request did not pass validation.'

  const cases: readonly (readonly [unknown, string, number])[] = [
    [{ name: 7 }, '/name must be a string, found a number.', 1],
    [{}, '/name is required.', 1],
    [{ name: 'a', nmae: 1 }, '/nmae is not known here; did you mean “name”?', 1],
    [[], 'The whole must be an object, found a list.', 1],
    [null, 'The whole must be an object, found null.', 1],
    [{ name: 'a', 'a/b': [{ count: 0 }] }, '/a~1b/0/count must be at least 1.', 1],
    [{ name: 'a', 'a/b': [{ count: 1 }, { count: 'secret' }] }, '/a~1b/1/count must be a whole number, found a string.', 1],
    [{ name: { deep: true }, 'a/b': {} }, '/name must be a string, found an object (and 1 more, see errors).', 2],
  ]
  for (const [body, words, count] of cases)
    it(`says ${words}`, async () => {
      const { detail, errors } = await problemOf(body)
      expect(detail).to.equal(`${invalidBody} ${words}`)
      expect(errors).to.have.length(count)
    })

  it('is the same for a large body, which a thread parses', async () => {
    const { detail } = await problemOf({ name: [{ filler: 'x'.repeat(1_500_000) }] })
    expect(detail).to.equal(`${invalidBody} /name must be a string, found a list.`)
  })

  it('names parameters of the path and of the query', async () => {
    expect((await problemOf({ name: 'a' }, '/api/dice/six')).detail).to.equal(
      'The params of the request did not pass validation. /sides must be a whole number, found a string.',
    )
    expect((await problemOf({ name: 'a' }, '/api/dice/6?seed=1&seed=2&more=1')).detail).to.equal(
      'The query of the request did not pass validation. /seed must not be repeated (and 1 more, see errors).',
    )
  })
})
