import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import type { JsonObject } from '@agent-service/sdk'
import { validate } from '@readme/openapi-parser'
import { expect } from 'chai'
import { inlined, readDescription } from '../support/api-description.js'

/** What a route looks like in the description, as far as these tests read it. */
interface Operation {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Readonly<Record<string, { readonly schema?: JsonObject }>>; readonly 'x-codes'?: readonly string[] }
    >
  >
}

describe('the description of the API', () => {
  let kernel: TestKernel
  let origin: string
  before(async () => {
    kernel = await createTestKernel()
    origin = kernel.url
  })
  after(() => kernel.stop())

  const describeApi = async () =>
    (await (await fetch(`${origin}/api/openapi.json`)).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    }

  it('is valid OpenAPI 3.1 for the whole product, by an independent validator', async () => {
    const result = await validate((await describeApi()) as unknown as Parameters<typeof validate>[0])
    expect(result.valid, JSON.stringify(result)).to.equal(true)
    const broken = { ...(await describeApi()), paths: { '/x': { get: { responses: { 200: {} } } } } }
    expect((await validate(broken as unknown as Parameters<typeof validate>[0])).valid).to.equal(false)
  })

  it('has unique operation ids and an error answer for every operation', async () => {
    const operations = Object.values((await describeApi()).paths).flatMap((item) => Object.values(item))
    expect(operations.length).to.be.greaterThan(10)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).to.equal(operations.length)
    for (const { operationId, responses } of operations) expect(responses, operationId).to.have.property('default')
  })

  it('names the failures of other systems, and none that is answered as an internal error', async () => {
    const operations = Object.values((await describeApi()).paths).flatMap((item) => Object.values(item))
    const failures = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { 'x-codes': codes = [] }]) =>
        Number(status) >= 500 ? codes.map((code) => ({ operationId, status: Number(status), code })) : [],
      ),
    )
    expect(failures).to.deep.include({ operationId: 'sendTestMail', status: 502, code: 'mail_rejected' })
    expect(failures).to.deep.include({ operationId: 'installSkill', status: 502, code: 'skill_fetch_failed' })
    expect(failures).to.deep.include({ operationId: 'forgetBrowserProfile', status: 504, code: 'browser_timeout' })
    // Those above are answered as they are; this one would be `internal_error`.
    expect(failures.filter(({ status }) => status === 500)).to.deep.equal([])
  })

  it('pages every list: operations that return items accept a limit and a cursor', async () => {
    const { components } = await readDescription(origin)
    const schemaOf = (schema: JsonObject | undefined): JsonObject => (schema === undefined ? {} : inlined(schema, components.schemas))
    const lists = Object.values((await describeApi()).paths)
      .flatMap((item) => Object.values(item))
      .filter(
        ({ responses }) =>
          (schemaOf(responses['200']?.content?.['application/json']?.schema)['properties'] as { readonly items?: JsonObject } | undefined)
            ?.items?.['type'] === 'array',
      )
    expect(lists.map(({ operationId }) => operationId)).to.include.members(['listModels', 'listPlugins', 'listChats'])
    for (const { operationId, parameters = [] } of lists) {
      const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
      expect(names, operationId).to.include.members(['limit', 'cursor'])
    }
  })

  it('names the operations that need a credential: each of them is 401 without one', async () => {
    for (const [template, item] of Object.entries((await describeApi()).paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (operation.security?.length === 0) continue
        const path = template.replaceAll(/\{[^}]*\}/g, '0190a0a0-0000-7000-8000-000000000000')
        const answer = await fetch(`${origin}${path}`, { method: method.toUpperCase() })
        // Account routes have few requests a second to give, and say so before anything else.
        expect(answer.status, operation.operationId).to.be.oneOf(path.startsWith('/api/auth/') ? [401, 429] : [401])
        await answer.body?.cancel()
      }
    }
  })

  it('describes every path', async () => {
    const answer = await fetch(`${origin}/api/does-not-exist`)
    expect(answer.status).to.equal(404)
    expect(answer.headers.get('content-type')).to.equal('application/problem+json')
  })
})
