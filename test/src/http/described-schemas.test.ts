import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import {
  type ApiDescription,
  createSchemaChecker,
  type DescribedContent,
  operationsOf,
  readDescription,
  type SchemaChecker,
} from '../support/api-description.js'

const isObject = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a schema describes an object in this very place. */
const isAnonymous = (schema: JsonObject): boolean =>
  schema['type'] === 'object' || (Array.isArray(schema['type']) && schema['type'].includes('object'))

/** The paths of anonymous objects in lists, maps and choices. */
function anonymousIn(schema: JsonObject, path: string): readonly string[] {
  const inside = (value: JsonValue | undefined, name: string): readonly string[] =>
    isObject(value) ? [...(isAnonymous(value) ? [`${path}/${name}`] : []), ...anonymousIn(value, `${path}/${name}`)] : []
  const members = isObject(schema['properties']) ? Object.entries(schema['properties']) : []
  const choices = ['anyOf', 'oneOf'].flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword] : []))
  return [
    ...inside(schema['items'], 'items'),
    ...inside(schema['additionalProperties'], 'additionalProperties'),
    ...choices.flatMap((choice: JsonValue, index) => inside(choice, String(index))),
    ...members.flatMap(([name, member]) => (isObject(member) ? anonymousIn(member, `${path}/${name}`) : [])),
  ]
}

describe('the schemas of the description', () => {
  let kernel: TestKernel
  let description: ApiDescription
  let checker: SchemaChecker
  before(async () => {
    kernel = await createTestKernel()
    description = await readDescription(kernel.url)
    checker = createSchemaChecker(description)
  })
  after(() => kernel.stop())

  /** The bodies of requests and of answers with 2xx. */
  const contents = (): readonly (readonly [string, string, DescribedContent])[] =>
    operationsOf(description).flatMap(({ operation: { operationId, requestBody, responses } }) => [
      ...Object.entries(requestBody?.content ?? {}).map(([type, content]) => [`${operationId} request`, type, content] as const),
      ...Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([status, { content = {} }]) =>
          Object.entries(content).map(([type, each]) => [`${operationId} ${status}`, type, each] as const),
        ),
    ])

  it('have names: no body is an anonymous object, and no list or choice has one', () => {
    const bodies = contents().filter(([, type]) => type === 'application/json')
    expect(bodies.length).to.be.greaterThan(100)
    expect(bodies.filter(([, , { schema }]) => isAnonymous(schema)).map(([name]) => name)).to.deep.equal([])
    expect(bodies.flatMap(([name, , { schema }]) => anonymousIn(schema, name))).to.deep.equal([])
    expect(Object.entries(description.components.schemas).flatMap(([name, schema]) => anonymousIn(schema, name))).to.deep.equal([])
    expect(Object.values(description.components.schemas).filter((schema) => Object.keys(schema).length === 0)).to.deep.equal([])
  })

  it('have the words of the product', () => {
    expect(description.components.schemas).to.include.keys(
      ...[
        'Chat',
        'ChatPage',
        'CreateChat',
        'UpdateChat',
        'Agent',
        'AgentPage',
        'Message',
        'MessagePage',
        'Part',
        'TextPart',
        'ToolCallPart',
      ],
      ...['Run', 'Usage', 'Approval', 'Question', 'Space', 'User', 'Session', 'Token', 'AuditEntry', 'Plugin', 'ModelGroup', 'Problem'],
      ...['Event', 'RunStartedEvent', 'RunStartedEventData', 'TextDeltaEvent', 'MessageUpdatedEvent', 'ResetEvent', 'ClosingEvent'],
    )
    const part = description.components.schemas['Part']
    expect(part?.['discriminator']).to.have.nested.property('mapping.tool_call', '#/components/schemas/ToolCallPart')
    expect(part?.['discriminator']).to.have.property('propertyName', 'type')
  })

  it('have one for each type of event, and the stream refers to them', async () => {
    const person = await signUp(kernel.url, 'ada')
    const types = (await person.request('GET', '/api/events/types')).body['types'] as readonly { readonly name: string }[]
    const discriminator = description.components.schemas['Event']?.['discriminator']
    const mapping = isObject(discriminator) && isObject(discriminator['mapping']) ? discriminator['mapping'] : {}
    expect(Object.keys(mapping)).to.have.members([...types.map(({ name }) => name), 'reset', 'closing'])
    for (const [name, reference] of Object.entries(mapping)) {
      const event = description.components.schemas[String(reference).replace('#/components/schemas/', '')]
      expect(event, name).to.have.nested.property('properties.event.const', name)
      expect(event, name).to.have.nested.property('properties.data.$ref')
    }
    const stream = description.paths['/api/events']?.['get']?.responses['200']?.content?.['text/event-stream']
    expect(stream?.['x-item-schema']).to.deep.equal({ $ref: '#/components/schemas/Event' })
    expect(stream?.schema).to.deep.equal({ $ref: '#/components/schemas/EventData' })
  })

  it('have examples: each request and each answer with 2xx has one that fits', () => {
    const without = contents().filter(([, , { example }]) => example === undefined)
    expect(without.map(([name]) => name)).to.deep.equal([])
    const wrong = contents().flatMap(([name, , { schema, example }]) => {
      const problem = checker.problemWith(schema, example)
      return problem === undefined ? [] : [`${name}: ${problem}: ${JSON.stringify(example).slice(0, 200)}`]
    })
    expect(wrong).to.deep.equal([])
    const parameters = operationsOf(description).flatMap(({ operation }) =>
      operation.parameters
        .filter(({ example }) => example !== undefined)
        .map(({ name, schema, example }) => [`${operation.operationId} ${name}`, checker.problemWith(schema, example as JsonValue)]),
    )
    expect(parameters.length).to.be.greaterThan(100)
    expect(parameters.filter(([, problem]) => problem !== undefined)).to.deep.equal([])
  })

  it('are explained: each operation has a summary, a description and tags, each tag a text, and each problem its codes', () => {
    for (const { operation } of operationsOf(description)) {
      const { operationId, summary, tags = [], responses } = operation
      expect(summary, operationId).to.be.a('string').and.not.equal('')
      expect(operation.description, operationId).to.be.a('string').and.not.equal('')
      expect(tags, operationId).to.have.length(1)
      for (const [status, answer] of Object.entries(responses))
        if (Number(status) >= 400 && 'application/problem+json' in (answer.content ?? {}))
          expect(answer['x-codes'], `${operationId} ${status}`).to.be.an('array').and.not.empty
    }
    expect(description.tags.filter((tag) => tag.description === undefined)).to.deep.equal([])
    expect(description.paths['/api/agents']?.['post']?.responses['409']?.['x-codes']).to.include('agent_handle_taken')
    expect(description.paths['/api/agents/{agent_id}']?.['patch']?.responses['412']?.['x-codes']).to.deep.equal(['stale_agent'])
  })

  it('are sent with an entity tag, and not again while they are the same', async () => {
    const url = `${kernel.url}/api/openapi.json`
    const first = await fetch(url)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).to.match(/^"[\w-]{43}(-br|-gzip)?"$/)
    expect(first.headers.get('content-type')).to.equal('application/json')
    const again = await fetch(url, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).to.deep.equal([304, ''])
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).to.equal(200)
  })
})
