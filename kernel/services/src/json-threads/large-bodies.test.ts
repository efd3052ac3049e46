import { startTestServer, type TestServer } from '@agent-service/kernel-core/http/testing'
import { Type } from '@agent-service/sdk'
import { defineRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { createJsonPool } from './json-pool.js'
import { createJsonBuilder, cutIntoSlices } from './json-slices.js'
import { smallObjects } from './testing/small-objects.js'

describe('large JSON bodies', () => {
  let received: unknown
  const route = defineRoute({
    method: 'POST',
    path: '/api/large',
    operationId: 'takeLarge',
    summary: 'Large',
    auth: 'public',
    body: {
      kind: 'json',
      schema: Type.Object({ items: Type.Array(Type.Unknown()), mode: Type.Optional(Type.String({ default: 'm' })) }),
      limit: 32 * 1024 * 1024,
    },
    answers: { 200: { description: 'Taken.', schema: Type.Object({ count: Type.Integer() }) } },
    handle: async ({ body }) => {
      received = body
      return ok({ count: body.items.length })
    },
  })
  let server: TestServer
  before(async () => {
    server = await startTestServer({ routes: [route], jsonPool: createJsonPool })
  })
  after(() => server.close())
  const post = (body: string | Uint8Array<ArrayBuffer>) =>
    server.fetch('/api/large', { method: 'POST', body, headers: { 'content-type': 'application/json' } })

  it('accepts megabytes of small objects', async () => {
    const text = JSON.stringify({ items: smallObjects() })
    expect(text.length).to.be.greaterThan(4 * 1024 * 1024)
    const answer = await post(text)
    expect(await answer.json()).to.deep.equal({ count: smallObjects().length })
    expect((received as { mode: string }).mode).to.equal('m')
    expect(JSON.stringify({ items: (received as { items: unknown }).items })).to.equal(text)
  })

  it('refuses the same bodies with the same messages in a thread as on the event loop', async () => {
    const filler = JSON.stringify('x'.repeat(300_000))
    for (const [text, code] of [
      [`{"items":[${filler},}`, 'malformed_json'],
      [`{"items":[${filler},${'['.repeat(200)}${']'.repeat(200)}]}`, 'nesting_too_deep'],
      [`{"items":${filler}}`, 'invalid_request'],
    ] as const) {
      const large = (await (await post(text)).json()) as { code: string; detail: string }
      const small = (await (await post(text.replace(filler, '"x"'))).json()) as { code: string; detail: string }
      expect(large.code).to.equal(code)
      expect(small.code).to.equal(code)
      expect(large.detail.replace(/column \d+ \(position \d+\)/, '')).to.equal(small.detail.replace(/column \d+ \(position \d+\)/, ''))
    }
  })

  it('cuts any value into slices from which it can be rebuilt', () => {
    const values = [
      1,
      null,
      'x'.repeat(1_000_000),
      // Surrogate pairs stand at every position, so some are cut in two.
      [`x${'😀'.repeat(200_000)}`, 'y'.repeat(65_536), 'z'.repeat(65_537), '"\u0000'.repeat(80_000), 'short'],
      { 7: 'x'.repeat(100_000), 3: ['y'.repeat(200_000)], name: 'z'.repeat(70_000), after: { '': 'w'.repeat(70_000) } },
      [],
      {},
      {
        a: Array.from({ length: 50_000 }, (_, index) => ({ index })),
        b: { '': [[]] },
        ...Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index])),
      },
    ]
    for (const value of values) {
      const builder = createJsonBuilder()
      for (const slice of cutIntoSlices(value)) {
        const text = JSON.stringify(slice)
        // Six characters for each of a string that has to be escaped, and two pieces in one slice.
        expect(text.length, 'a piece that is parsed at once').to.be.lessThan(13 * 64 * 1024)
        builder.add(JSON.parse(text))
      }
      expect(JSON.stringify(builder.value())).to.equal(JSON.stringify(value))
    }
  })

  it('changes no prototype by a member that is called so', () => {
    const builder = createJsonBuilder()
    for (const slice of cutIntoSlices(JSON.parse(`{"a":{"__proto__":{"admin":true},"b":"${'x'.repeat(300_000)}"}}`)))
      builder.add(JSON.parse(JSON.stringify(slice)))
    const { a } = builder.value() as { readonly a: { readonly admin?: boolean } }
    expect([a.admin, Object.getPrototypeOf(a) === Object.prototype, Object.keys(a)]).to.deep.equal([undefined, true, ['__proto__', 'b']])
  })
})
