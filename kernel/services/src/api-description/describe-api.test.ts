import { createDispatchTable } from '@agent-service/kernel-core/http/routing'
import { type JsonObject, named, namedObject, Type } from '@agent-service/sdk'
import { created, defineRoute, ok, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { createApiDocument } from './api-document.js'

const text = namedObject('TextPart', { type: Type.Literal('text'), text: Type.String({ examples: ['Hello'] }) })
const image = namedObject('ImagePart', { type: Type.Literal('image'), url: Type.String() }, { additionalProperties: true })
const note = namedObject('Note', {
  id: Type.String(),
  parts: Type.Array(named('Part', Type.Union([text, image]))),
  state: Type.Union([Type.Literal('open'), Type.Literal('closed'), Type.Null()]),
  title: Type.Union([Type.String({ maxLength: 20 }), Type.Null()], { description: 'Its title.' }),
  labels: Type.Record(Type.String(), Type.Integer()),
})
const lockedError = { code: 'note_locked', status: 409 }

describe('the OpenAPI document', () => {
  const table = createDispatchTable()
  const owner = { id: 'feature-notes' }
  table.add(
    defineRoute({
      ...{ method: 'GET', path: '/api/notes', operationId: 'listNotes', summary: 'List notes', auth: 'user', tags: ['notes'] },
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(note) } },
      handle: async () => ok({ items: [], next_cursor: null }),
    }),
    owner,
  )
  table.add(
    defineRoute({
      ...{ method: 'POST', path: '/api/notes', operationId: 'createNote', summary: 'Create a note', auth: 'user', tags: ['notes'] },
      body: {
        kind: 'json',
        schema: Type.Object({ title: Type.String(), state: Type.Optional(Type.Literal('open')) }),
        example: { title: 'Shopping' },
      },
      errors: [lockedError],
      answers: { 201: { description: 'The note.', schema: note } },
      handle: async () => created({}),
    }),
    owner,
  )
  table.add(
    defineRoute({
      ...{ method: 'GET', path: '/api/plugins/tool-dice/rolls', operationId: 'toolDiceListRolls', summary: 'List rolls', auth: 'user' },
      answers: { 200: { description: 'All.', schema: Type.Array(namedObject('Roll', { eyes: Type.Integer() })) } },
      handle: async () => ok([]),
    }),
    { id: 'tool-dice', schemaPrefix: 'ToolDice' },
  )
  const events = {
    operationId: 'listNotes',
    types: [{ name: 'note.changed', description: 'A note changed.', schema: Type.Object({ note }), schemaPrefix: '' }],
  }
  const describeTable = createApiDocument(table, () => ({ version: '1.2.3', tags: { notes: 'Notes of people.' }, events }))
  let document: {
    readonly tags: unknown
    readonly paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>
    readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> }
  }
  before(async () => {
    document = JSON.parse((await describeTable()).bytes.toString()) as typeof document
  })
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

  it('has each named schema once, and references to it', () => {
    const { schemas } = document.components
    expect(schemas).to.include.keys('Note', 'NotePage', 'Part', 'TextPart', 'ImagePart', 'Problem', 'ProblemDetail')
    expect(schemas['NotePage'])
      .to.have.nested.property('properties.items')
      .that.deep.includes({ items: reference('Note') })
    expect(schemas['Part']).to.deep.equal({
      oneOf: [reference('TextPart'), reference('ImagePart')],
      discriminator: { propertyName: 'type', mapping: { text: reference('TextPart').$ref, image: reference('ImagePart').$ref } },
    })
    expect(JSON.stringify(document)).not.to.include('x-name')
  })

  it('has words that generators know: enum, two types, maps and open objects', () => {
    const { Note, ImagePart } = document.components.schemas
    expect(Note)
      .to.have.nested.property('properties.state')
      .that.deep.equals({ type: ['string', 'null'], enum: ['open', 'closed', null] })
    expect(Note)
      .to.have.nested.property('properties.title')
      .that.deep.equals({ type: ['string', 'null'], maxLength: 20, description: 'Its title.' })
    expect(Note).to.have.nested.property('properties.labels.additionalProperties').that.deep.equals({ type: 'integer' })
    expect(Note).to.have.property('additionalProperties', false)
    expect(ImagePart).not.to.have.property('additionalProperties')
  })

  it('names what its author did not: bodies after their operation, names of third parties after their plugin', () => {
    const { schemas } = document.components
    const post = document.paths['/api/notes']?.['post']
    expect(post)
      .to.have.nested.property('requestBody.content')
      .that.deep.equals({
        'application/json': { schema: reference('CreateNote'), example: { title: 'Shopping' } },
      })
    expect(schemas).to.include.keys('CreateNote', 'ToolDiceRoll', 'ToolDiceListRollsResult')
    expect(schemas['ToolDiceListRollsResult']).to.deep.equal({ type: 'array', items: reference('ToolDiceRoll') })
  })

  it('lists the codes of problems by status: of the handler, of limits, of rights and of the input', () => {
    const { responses } = (document.paths['/api/notes']?.['post'] ?? {}) as { readonly responses: Readonly<Record<string, JsonObject>> }
    expect(responses['409']?.['x-codes']).to.deep.equal(['conflict', 'note_locked'])
    expect(responses['403']?.['x-codes']).to.include.members(['forbidden', 'people_only', 'cross_site_request'])
    expect(responses['400']?.['x-codes']).to.include.members(['malformed_json', 'invalid_query'])
    expect(responses['422']?.['x-codes']).to.deep.equal(['invalid_request'])
    const list = document.paths['/api/notes']?.['get'] as { readonly responses: Readonly<Record<string, JsonObject>> }
    expect(list.responses['422']?.['x-codes']).to.deep.equal(['invalid_request', 'cursor_invalid'])
    expect(list.responses).not.to.have.property('409')
  })

  it('makes examples of those of members, and has texts for tags', () => {
    const post = document.paths['/api/notes']?.['post'] as { readonly responses: Readonly<Record<string, JsonObject>> }
    expect(post.responses['201'])
      .to.have.nested.property('content')
      .that.has.nested.property('application/json.example')
      .that.deep.equals({
        ...{
          id: '01975f3e-8c00-7a3b-9d21-4f6e5b7c8d90',
          parts: [{ type: 'text', text: 'Hello' }],
          state: 'open',
          title: 'text',
          labels: {},
        },
      })
    expect(document.tags).to.deep.equal([{ name: 'notes', description: 'Notes of people.' }])
  })

  it('has a schema for each type of event and for its data, and the choice among them', () => {
    const { schemas } = document.components
    expect(schemas['NoteChangedEvent']).to.have.nested.property('properties.data').that.deep.equals(reference('NoteChangedEventData'))
    expect(schemas['NoteChangedEventData']).to.have.nested.property('properties.note').that.deep.equals(reference('Note'))
    expect(schemas['Event']).to.have.nested.property('discriminator.mapping').that.has.all.keys('reset', 'closing', 'note.changed')
  })

  it('is made once for the same routes, and again after they changed', async () => {
    const first = await describeTable()
    expect(await describeTable()).to.equal(first)
    const remove = table.add(
      defineRoute({
        ...{ method: 'GET', path: '/api/more', operationId: 'getMore', summary: 'Get', auth: 'public' },
        answers: { 204: { description: 'Nothing.' } },
        handle: async () => ({ status: 204, kind: 'empty' }),
      }),
      owner,
    )
    const second = await describeTable()
    expect(second.tag).not.to.equal(first.tag)
    void remove()
    expect((await describeTable()).tag).to.equal(first.tag)
  })
})
