import { expect } from 'chai'
import { chatParts } from '../contracts/chat-part/index.js'
import { defineRoute, httpRoutes, ok } from '../contracts/http-route/index.js'
import { defineJob, schedulerJobs } from '../contracts/scheduler-job/index.js'
import { defineTool, tools } from '../contracts/tool/index.js'
import { Type } from '../core/type.js'
import type { PluginManifest } from '../manifest/plugin-manifest.js'
import { definePlugin, type Plugin } from '../plugin/define-plugin.js'
import { agentsService } from '../services/agents.js'
import { clockService } from '../services/clock.js'
import { credentialsService } from '../services/credentials.js'
import { databaseService, defineCollection } from '../services/database.js'
import { eventsService } from '../services/events.js'
import { httpClientService } from '../services/http-client.js'
import { inferenceService } from '../services/inference.js'
import { runsService } from '../services/runs.js'
import { telemetryService } from '../services/telemetry.js'
import { userFilesService } from '../services/user-files.js'
import { createTestContext } from './create-test-context.js'
import { testPrincipal } from './plugin-test/index.js'

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
    optional: ['telemetry'],
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
    () => ({ message: 'expected an error' }),
    (error: { readonly code?: string; readonly message: string }) => error,
  )
const setUp = (setup: Plugin['setup'], manifest: object = {}): Promise<void> =>
  createTestContext(
    definePlugin({ manifest: { id: 'wrong', apiVersion: 1, ...manifest } as Plugin['manifest'], setup: (context) => setup(context) }),
  ).setup()

/** A context as JavaScript sees it. */
type Loose = Readonly<Record<'contribute' | 'provide' | 'use' | 'onStopping' | 'onDispose', (...given: readonly unknown[]) => void>>

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
    const actor = { kind: 'agent', id: 'a', purpose: 'sandbox' } as const
    expect(await call({ principal: { ...testPrincipal, actor } }))
      .to.have.property('message')
      .that.contains('403')
      .and.contains('its “actors” do not include “agent”')
    expect(await failureOf(test.call('count_notes', { limit: 0 })))
      .to.have.property('message')
      .that.contains('/limit must be at least 1')
    expect(await failureOf(test.call('sum_notes', {})))
      .to.have.property('message')
      .that.contains('but count_notes')
    await test.dispose()
  })

  it('refuses invalid settings and manifests', () => {
    expect(() => createTestContext(plugin, { config: { most: 'x' } })).to.throw('/most must be a whole number')
    const broken = definePlugin({ manifest: { id: 'Bad Id', apiVersion: 1 }, setup: () => undefined })
    expect(() => createTestContext(broken)).to.throw('/id')
  })

  it('refuses at the call what is no function, point, reference or service, even if the plugin catches the error', async () => {
    const calls: readonly (readonly [call: (context: Loose) => void, message: string])[] = [
      [(context) => context.onDispose('x'), 'called onDispose() with a string. Pass a function'],
      [(context) => context.onStopping(undefined), 'called onStopping() with undefined. Pass a function'],
      [(context) => context.contribute(tools, undefined), 'called contribute() with undefined. Pass the object that is added to tool.'],
      [(context) => context.contribute(undefined, {}), 'called contribute() with undefined. Pass a contribution point'],
      [(context) => context.provide(agentsService, null), 'called provide() with null. Pass the service “agents”.'],
      [(context) => context.use('kernel.clock'), 'called use() with a string. Pass a service reference'],
    ]
    for (const [call, message] of calls) {
      const failure = { code: 'plugin_argument_invalid', message: `Plugin “wrong” ${message}` }
      const withCall = (isCaught: boolean) =>
        setUp(
          (context) => {
            try {
              call(context as unknown as Loose)
            } catch (error) {
              if (!isCaught) throw error
            }
          },
          { contributes: ['tool'], provides: ['agents'] },
        )
      for (const isCaught of [false, true]) {
        const { code, message: found } = await failureOf(withCall(isCaught))
        expect({ code, message: found.slice(0, failure.message.length) }).to.deep.equal(failure)
      }
    }
  })

  it('refuses what the manifest does not list, even if the plugin catches the error', async () => {
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
    expect(await failureOf(setUp(() => undefined, { provides: ['telemetry'] }))).to.include({ code: 'service_not_provided' })
    const twice = setUp((context) => [job, job].forEach((each) => void context.contribute(schedulerJobs, each)), {
      contributes: ['scheduler.job'],
    })
    expect(await failureOf(twice)).to.include({ code: 'duplicate_contribution' })
  })

  it('refuses contributions that the host refuses', async () => {
    const wrong = { specVersion: 1, id: 'Wrong', title: 'Wrong', erase: async () => undefined } as never
    const failure = await failureOf(setUp((context) => context.contribute(chatParts, wrong), { contributes: ['chat.part'] }))
    expect(failure).to.include({ code: 'contribution_invalid' })
    expect(failure.message).to.contain('/id must be an id in kebab-case').and.contain('/export is required')
  })

  it('has fakes that the test controls', async () => {
    const heard: string[] = []
    const seen: unknown[] = []
    const requires = ['agents', 'runs', 'credentials', 'telemetry']
    const { signal } = new AbortController()
    const test = createTestContext(
      definePlugin({
        manifest: { id: 'works', apiVersion: 1, requires } as Plugin['manifest'],
        async setup(context) {
          const handle = async (event: { readonly id: string }): Promise<void> => void heard.push(event.id)
          context.onDispose(await context.use(eventsService).subscribe({ id: 'tasks', names: ['task.updated'], handle }))
          const started = { userId: 'user-1', key: 'a', message: 'Go', result: { name: 'sum', schema: {} } }
          const runs = context.use(runsService)
          const { run } = await runs.start(started)
          seen.push(run.result?.value, (await runs.start(started)).repeated)
          for await (const { type } of runs.watch({ userId: 'user-1', runId: run.id }, { signal })) seen.push(type)
          seen.push((await failureOf(runs.get({ userId: 'user-2', runId: run.id }))).code)
          const talk = {
            userId: 'user-1',
            agent: 'assistant',
            messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
          } as const
          for await (const event of context.use(agentsService).converse(talk, { signal })) seen.push(event.type)
          const credentials = context.use(credentialsService)
          const owner = 'deployment'
          await credentials.create({ owner, id: 'key', purpose: 'works', label: 'Key', content: { kind: 'secret', fields: { key: 's' } } })
          seen.push((await credentials.open({ owner, id: 'key' }, { signal })).kind, await credentials.delete({ owner, id: 'key' }))
          seen.push((await failureOf(credentials.open({ owner, id: 'key' }, { signal }))).code)
          context.use(telemetryService).startSpan({ name: 'works' }).end({ errorType: 'none' })
          const http = context.use(httpClientService)
          seen.push((await http.request({ url: 'https://here.example/' }, { signal })).status)
          seen.push((await failureOf(http.request({ url: 'https://there.example/' }, { signal }))).code)
        },
      }),
    )
    const { services } = test
    services.runs.say('3')
    services.httpClient.respond(({ url }) => (url.includes('here.example') && !url.includes('there') ? { status: 204 } : undefined))
    await test.setup()
    expect(seen).to.deep.equal([
      ...[3, true, 'state', 'finished', 'not_found', 'run', 'text.delta', 'finished'],
      ...['secret', true, 'credential_not_found', 204, 'http_connection_failed'],
    ])
    expect(services.telemetry.spans[0]).to.deep.include({ name: 'works', outcome: { errorType: 'none' } })
    const event = { kind: 'event', id: 'e1', userId: 'user-1', data: {}, recordedAt: '', attempt: 1 } as const
    await services.events.deliver({ ...event, name: 'task.updated' })
    await services.events.deliver({ ...event, id: 'e2', name: 'task.created' })
    expect(heard).to.deep.equal(['e1'])
    await test.dispose()
    expect(services.events.subscriptions.size).to.equal(0)
  })

  it('completes a sign-in only for its user, once', async () => {
    const { credentials } = createTestContext(plugin).services
    const { signal } = new AbortController()
    const client = { clientId: 'c', tokenUrl: 'https://sign-in.example/token' }
    const owner = { userId: 'user-1' }
    const begun = { owner, userId: 'user-1', purpose: 'works', label: 'Account', client, flow: 'code' } as const
    const { id, authorizationUrl } = await credentials.beginSignIn(begun, { signal })
    expect(authorizationUrl).to.contain(id)
    expect(credentials.getSignIn(id, 'user-2')).to.equal(undefined)
    const redirect = { state: id, code: 'x' }
    expect(await failureOf(credentials.completeSignIn(redirect, { userId: 'user-2' }))).to.include({ code: 'sign_in_state_invalid' })
    const { state, credentialId = '' } = await credentials.completeSignIn(redirect, { userId: 'user-1' })
    expect(state).to.equal('completed')
    expect(await credentials.open({ owner, id: credentialId }, { signal })).to.deep.equal({ kind: 'oauth', accessToken: 'fake-token' })
    expect(await failureOf(credentials.completeSignIn(redirect, { userId: 'user-1' }))).to.include({ code: 'sign_in_state_invalid' })
  })

  it('opens the folders of users alone that the manifest names', async () => {
    const opening = (storage?: PluginManifest['storage']) =>
      setUp((context) => void context.use(userFilesService).folder({ handle: 'ada' }, { subsystem: 'workspaces' }), {
        ...(storage && { storage }),
      })
    expect(await failureOf(opening())).to.include({ code: 'subsystem_undeclared' })
    expect((await failureOf(opening({ subsystems: ['wrong'] }))).message).to.match(/“workspaces”.*storage\.subsystems.*storage\.uses/)
    await opening({ uses: ['workspaces'] })
    const { userFiles } = createTestContext(plugin).services
    await userFiles.folder({ handle: 'ada' }, { subsystem: 'workspaces' }).write('a.md', new Uint8Array(1))
    expect([...userFiles.files.keys()], 'the test reaches all of them').to.deep.equal(['ada/workspaces/a.md'])
  })

  it('has no optional service, and a fake of a required one', async () => {
    await setUp((context) => expect(context.use(telemetryService)).to.equal(undefined) && undefined, { optional: ['telemetry'] })
    await setUp((context) => expect(context.use(inferenceService).groups()).to.have.length(1) && undefined, { requires: ['inference'] })
  })

  it('disposes what a failed setup opened, and what a successful one returned', async () => {
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
