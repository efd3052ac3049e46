import { expect } from 'chai'
import { defineRoute, httpRoutes, ok } from '../contracts/http-route/index.js'
import { defineJob, schedulerJobs } from '../contracts/scheduler-job/index.js'
import { defineTool, tools } from '../contracts/tool/index.js'
import { definePlugin, type Plugin } from '../core/define-plugin.js'
import { Type } from '../core/type.js'
import { clockService } from '../services/clock.js'
import { databaseService, defineCollection } from '../services/database.js'
import { inferenceService } from '../services/inference.js'
import { memoryService } from '../services/memory.js'
import { createTestContext } from './create-test-context.js'

interface Note {
  readonly id: string
  readonly user_id: string
  readonly text: string
}
const notes = defineCollection<Note>()({ name: 'notes.notes', version: 1, indexes: { by_user: { fields: ['user_id'] } } })

const plugin = definePlugin({
  manifest: {
    id: 'feature-notes',
    apiVersion: 1,
    contributes: ['http.route', 'tool'],
    optional: ['memory'],
    config: Type.Object({ most: Type.Integer({ default: 3 }), deep: Type.Object({ mark: Type.String({ default: '#' }) }) }),
  },
  collections: [notes],
  setup(context) {
    const stored = context.use(databaseService).collection(notes)
    const clock = context.use(clockService)
    const { most, deep } = context.config
    context.contribute(
      httpRoutes,
      defineRoute({
        ...{ method: 'POST', path: '/api/plugins/feature-notes/{note_id}', operationId: 'addNote', summary: 'Adds', auth: 'user' },
        params: Type.Object({ note_id: Type.String() }),
        query: Type.Object({ times: Type.Integer({ default: 1, maximum: 9 }) }),
        body: { kind: 'json', schema: Type.Object({ text: Type.String({ default: 'empty' }) }) },
        answers: { 200: { description: 'The note.' } },
        async handle({ params, query, body, principal }) {
          const text = `${deep.mark}${body.text}`.repeat(query.times)
          await stored.put({ id: params.note_id, user_id: principal?.userId ?? '', text })
          return ok({ text, at: clock.now(), most })
        },
      }),
    )
    context.contribute(
      tools,
      defineTool({
        name: 'count_notes',
        description: 'Counts the notes of the person.',
        parameters: Type.Object({ limit: Type.Integer({ minimum: 1 }) }),
        execute: async ({ limit }, { userId }) => {
          const { items } = await stored.query({ index: 'by_user', equals: [userId], limit })
          return { json: { count: items.length } }
        },
      }),
    )
  },
})

const failureOf = (work: Promise<unknown>): Promise<{ readonly code?: string; readonly message: string }> =>
  work.then(
    () => ({ message: 'it did not fail' }),
    (error: { readonly code?: string; readonly message: string }) => error,
  )
const setUp = (setup: Plugin['setup'], manifest: object = {}): Promise<void> =>
  createTestContext(definePlugin({ manifest: { id: 'wrong', apiVersion: 1, ...manifest } as Plugin['manifest'], setup })).setup()

describe('createTestContext with a plugin', () => {
  it('sets it up with the defaults of its settings, and calls its routes and tools as the host does', async () => {
    const test = createTestContext(plugin)
    await test.setup()
    await test.services.clock.advance(5)
    const answer = await test.request('POST /api/plugins/feature-notes/{note_id}', {
      params: { note_id: 'n1' },
      query: { times: '2' },
      body: {},
    })
    expect(answer).to.deep.equal({ status: 200, kind: 'json', json: { text: '#empty#empty', at: Date.UTC(2026, 0, 1) + 5, most: 3 } })
    expect(await test.services.database.collection(notes).get('n1')).to.deep.equal({ id: 'n1', user_id: 'user-1', text: '#empty#empty' })
    expect((await test.call('count_notes', { limit: 5 })).content).to.deep.equal([{ type: 'json', json: { count: 1 } }])
    await test.dispose()
    expect(test.context.signal.aborted).to.equal(true)
  })

  it('refuses requests and inputs that would not reach the plugin', async () => {
    const test = createTestContext(plugin, { config: { most: 1 } })
    await test.setup()
    const route = 'POST /api/plugins/feature-notes/{note_id}'
    const call = (request: object) => failureOf(test.request(route, { params: { note_id: 'n' }, body: {}, ...request }))
    expect(await call({ query: { times: 10 } })).to.include({ code: 'invalid_request' })
    expect(await call({ query: { unknown: 1 } })).to.include({ code: 'invalid_request' })
    expect(await call({ body: { text: 5 } })).to.include({ code: 'invalid_request' })
    expect(await call({ principal: null }))
      .to.have.property('message')
      .that.contains('401')
    expect(await failureOf(test.call('count_notes', { limit: 0 })))
      .to.have.property('message')
      .that.contains('/limit must be at least 1')
    expect(await failureOf(test.call('sum_notes', {})))
      .to.have.property('message')
      .that.contains('but count_notes')
    await test.dispose()
  })

  it('refuses settings and manifests that do not hold', () => {
    expect(() => createTestContext(plugin, { config: { most: 'x' } })).to.throw('/most must be a whole number')
    const broken = definePlugin({ manifest: { id: 'Bad Id', apiVersion: 1 }, setup: () => undefined })
    expect(() => createTestContext(broken)).to.throw('/id')
  })

  it('refuses what the manifest does not list, also where the plugin catches it', async () => {
    const job = defineJob({ id: 'wrong.job', everySeconds: 1, run: async () => undefined })
    expect(await failureOf(setUp((context) => context.contribute(schedulerJobs, job)))).to.include({ code: 'plugin_undeclared' })
    const caught = setUp((context) => {
      try {
        context.use(inferenceService)
      } catch {
        context.log.warn('Never mind.')
      }
    })
    expect(await failureOf(caught)).to.include({ code: 'plugin_undeclared' })
    expect(await failureOf(setUp(() => undefined, { provides: ['memory'] }))).to.include({ code: 'service_not_provided' })
    const twice = setUp((context) => [job, job].forEach((each) => void context.contribute(schedulerJobs, each)), {
      contributes: ['scheduler.job'],
    })
    expect(await failureOf(twice)).to.include({ code: 'duplicate_contribution' })
  })

  it('has no service that is optional, and a fake of one that is required', async () => {
    await setUp((context) => expect(context.use(memoryService)).to.equal(undefined) && undefined, { optional: ['memory'] })
    await setUp((context) => expect(context.use(inferenceService).groups()).to.have.length(1) && undefined, { requires: ['inference'] })
  })

  it('undoes what a failed setup opened, and what a good one returned', async () => {
    const undone: string[] = []
    const failing = setUp((context) => {
      context.onDispose(() => void undone.push('opened'))
      throw new Error('no')
    })
    expect(await failureOf(failing)).to.include({ message: 'no' })
    const test = createTestContext(
      definePlugin({ manifest: { id: 'fine', apiVersion: 1 }, setup: () => () => void undone.push('returned') }),
    )
    await test.setup()
    await test.dispose()
    expect(undone).to.deep.equal(['opened', 'returned'])
  })
})
