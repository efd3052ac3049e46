import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { createFakeQuotas } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createForeignSchemas, type ForeignSchemas } from './foreign-schemas.js'

const options = { userId: 'ada', signal: new AbortController().signal }

/** The code of what a check is refused with. */
const codeOf = (checking: Promise<unknown>): Promise<unknown> =>
  checking.then(
    () => 'it was checked',
    (error: { readonly code?: unknown }) => error.code,
  )

/** On a busy machine a process waits for a processor; what these tests are about takes hours. */
const maxStallMs = 1_000

/** The longest that the event loop was held while something ran, in milliseconds. */
async function longestStall(work: Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await work
  delay.disable()
  return delay.max / 1e6
}

describe('a foreign schema', () => {
  let schemas: ForeignSchemas
  beforeEach(() => {
    schemas = createForeignSchemas({ quotas: createFakeQuotas(), limitMs: 1_000 })
  })
  const check = (schema: JsonObject, value: JsonValue) => schemas.check(schema, value, options)

  it('is applied like any other', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string', pattern: '^a+$' } }, required: ['name'] }
    expect(await check(schema, { name: 'aaa' })).to.deep.equal([])
    expect(await check(schema, { name: 'b' })).to.deep.equal([{ path: '/name', message: 'must match the pattern ^a+$' }])
    expect(await codeOf(check({ type: 'string', pattern: '(' }, 'a'))).to.equal('schema_unusable')
  })

  const untilLate: readonly (readonly [string, JsonObject, JsonValue])[] = [
    ['a pattern that takes for ever', { type: 'string', pattern: '^(a|a)*$' }, `${'a'.repeat(60)}!`],
    ['such a pattern for the names of members', { patternProperties: { '^(x+x+)+y$': { type: 'null' } } }, { ['x'.repeat(60)]: 1 }],
    [
      'a reference that doubles at each level',
      {
        $defs: {
          a: {
            anyOf: [
              { properties: { n: { $ref: '#/$defs/a' } }, required: ['n'] },
              { properties: { n: { $ref: '#/$defs/a' } }, required: ['m'] },
            ],
          },
        },
        $ref: '#/$defs/a',
      },
      Array.from({ length: 60 }).reduce<JsonValue>((inner) => ({ n: inner }), {}),
    ],
  ]
  for (const [title, schema, value] of untilLate) {
    it(`blocks neither the event loop nor the next check: ${title}`, async () => {
      const late = codeOf(check(schema, value))
      expect(await longestStall(late)).to.be.below(maxStallMs)
      expect(await late).to.equal('schema_unusable')
      expect(await check({ type: 'null' }, null)).to.deep.equal([])
    })
  }

  it('is applied in one check at a time for each user, which ends with its run', async () => {
    const quotas = createFakeQuotas()
    schemas = createForeignSchemas({ quotas })
    const controller = new AbortController()
    const evil = { type: 'string', pattern: '^(a|a)*$' }
    const first = schemas.check(evil, `${'a'.repeat(60)}!`, { ...options, signal: controller.signal }).catch((error: unknown) => error)
    expect(await codeOf(check({ type: 'null' }, null))).to.equal('limit_reached')
    expect(await schemas.check({ type: 'null' }, null, { ...options, userId: 'ben' })).to.deep.equal([])
    const stopped = new Error('stopped')
    controller.abort(stopped)
    expect(await first).to.equal(stopped)
    expect(await check({ type: 'null' }, null)).to.deep.equal([])
    expect(quotas.declared.get('schema-checks')).to.include({ maxPerHolder: 1, maxTotal: 2 })
  })
})
