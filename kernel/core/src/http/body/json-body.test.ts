import { Type } from '@agent-service/sdk'
import { defineRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { smallObjects } from '../testing/small-objects.js'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'
import { createJsonBuilder, cutIntoSlices } from './json-slices.js'
import { findJsonSyntaxError } from './json-syntax-error.js'
import { parseJsonBytes } from './json-text.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const limits = { maxDepth: 100, maxValues: 1_000 }

describe('JSON bodies', () => {
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
    server = await startTestServer({ routes: [route] })
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
      for (const slice of cutIntoSlices(value)) builder.add(JSON.parse(JSON.stringify(slice)))
      expect(JSON.stringify(builder.value())).to.equal(JSON.stringify(value))
    }
  })

  it('reports the position of a syntax error', () => {
    expect(findJsonSyntaxError('{"a": 1,}')).to.contain('expected a member name in double quotes at line 1, column 9 (position 8)')
    expect(findJsonSyntaxError('[1\n 2]')).to.contain('expected “,” or the end of the list or object at line 2, column 2 (position 4)')
    expect(findJsonSyntaxError('{"a"')).to.contain('the text ends at line 1, column 5 (position 4), expected “:”')
    expect(findJsonSyntaxError('')).to.contain('the text ends at line 1, column 1')
    expect(findJsonSyntaxError('[1] 2')).to.contain('expected nothing after the value')
    expect(findJsonSyntaxError('["\n"]')).to.contain('expected a complete string')
    expect(findJsonSyntaxError(`["${'\\\\n'.repeat(1_000_000)}",]`)).to.contain('expected a value')
    expect(findJsonSyntaxError('[],'.repeat(200))).to.contain('expected nothing after the value at line 1, column 3')
  })

  it('finds a syntax error in every text that does not parse, and in no other', () => {
    const texts = [
      '[]',
      '{}',
      '{"a":[1,-0.5e+3,"\\u00e4",true,false,null]}',
      ' 1 ',
      '"x"',
      '01',
      '1.',
      '[,]',
      '{,}',
      "{'a':1}",
      '[1]]',
      '{"a":}',
      'nul',
      '"\\x"',
      '+1',
      '[1 2]',
    ]
    for (const text of texts) {
      let parses = true
      try {
        JSON.parse(text)
      } catch {
        parses = false
      }
      expect(findJsonSyntaxError(text).includes('it cannot be parsed'), text).to.equal(parses)
    }
  })

  it('omits __proto__, counts depth outside strings, and refuses invalid UTF-8', () => {
    const value = parseJsonBytes(bytes('{"a":{"__proto__":{"admin":true},"\\u005f_proto__":1,"b":1},"__proto__":2}'), limits)
    expect(JSON.stringify(value)).to.equal('{"a":{"b":1}}')
    expect(parseJsonBytes(bytes(JSON.stringify('[[[[\\"[['.repeat(50))), { ...limits, maxDepth: 2 })).to.be.a('string')
    expect(parseJsonBytes(bytes(`${'['.repeat(100)}${']'.repeat(100)}`), limits)).to.be.an('array')
    expect(() => parseJsonBytes(bytes(`${'['.repeat(101)}${']'.repeat(101)}`), limits)).to.throw('deeper than 100')
    expect(() => parseJsonBytes(new Uint8Array([0x22, 0xc3, 0x28, 0x22]), limits)).to.throw('UTF-8')
  })
})
