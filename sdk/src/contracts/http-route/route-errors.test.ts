import { expect } from 'chai'
import { defineError } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { checkManifest } from '../../manifest/check-manifest.js'
import { checkHttpRoute } from './check-http-route.js'
import { defineRoute, type HttpRoute, type RouteError } from './route.js'

const lockedError = defineError<Record<string, never>>({
  code: 'note_locked',
  status: 409,
  title: 'Locked',
  message: () => 'It is locked.',
})

const routeWith = (errors: readonly RouteError[]): HttpRoute =>
  defineRoute({
    ...{ method: 'POST', path: '/api/plugins/notes/notes', operationId: 'notesCreate', summary: 'Create a note', auth: 'user', errors },
    body: { kind: 'json', schema: Type.Object({ title: Type.String() }), example: { title: 'Shopping' } },
    answers: { 201: { description: 'The note.', schema: Type.Object({ id: Type.String() }), example: { id: '1' } } },
    handle: async () => ({ status: 201, kind: 'json', json: { id: '1' } }),
  })

describe('what a route says for the OpenAPI description', () => {
  it('may name errors, as they were defined, and examples', () => {
    expect(checkHttpRoute(routeWith([lockedError, { code: 'note_gone', status: 410 }]))).to.deep.equal([])
  })

  it('names no errors with another code or status than errors have', () => {
    const problems = checkHttpRoute(routeWith([{ code: 'Note locked', status: 200 }]))
    expect(problems.map(({ path }) => path)).to.have.members(['/errors/0/code', '/errors/0/status'])
  })

  it('may have texts for tags in the manifest, each a text that is not empty', () => {
    expect(checkManifest({ id: 'notes', apiVersion: 1, tags: { notes: 'Notes and their folders.' } })).to.have.property('manifest')
    expect(checkManifest({ id: 'notes', apiVersion: 1, tags: { notes: '' } })).to.have.nested.property('problems[0].path', '/tags/notes')
  })
})
