import path from 'node:path'
import type { RecordedContribution } from '@agent-service/sdk'
import { type HttpRoute, httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { searchProviders } from '@agent-service/sdk/contracts/search-provider'
import { toolSources } from '@agent-service/sdk/contracts/tool-source'
import type { Contributed } from '@agent-service/sdk/services/contributions'
import { expect } from 'chai'
import { currentWork, runWithin } from '../../work/work-context.js'
import {
  createPluginTree,
  createRecorder,
  createTestHost,
  type PluginTree,
  type Recorder,
  type TestHost,
  type TestHostOptions,
} from './fixture.test.js'
import { failure, finder, recorded, search, use } from './recorded-plugins.test.js'

describe('a plugin whose contributions were recorded', () => {
  let tree: PluginTree
  let recorder: Recorder
  let started: TestHost | undefined
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
  })
  afterEach(async () => {
    await started?.host.stop()
    started = undefined
    await tree.remove()
  })

  const start = async (options?: TestHostOptions): Promise<TestHost> => {
    started = await createTestHost(tree, options)
    await started.host.loadAhead()
    await started.host.start()
    return started
  }

  it('is ready without its code, and starts once with the first use, however many come at once', async () => {
    await tree.write({ ...finder('finder'), head: `test.note('finder imported')` })
    const host = await start()
    expect([host.state('finder'), host.reason('finder')]).to.deep.equal(['ready', null])
    expect(recorder.events).to.deep.equal([])
    expect(host.contributions.list(searchProviders).map(({ key, value }) => [key, value.title])).to.deep.equal([['finder', 'A search']])
    const [before] = host.contributions.list(searchProviders)
    await Promise.all([use(host, 'finder'), use(host, 'finder')])
    await use(host, 'finder')
    expect(recorder.events).to.deep.equal(['finder imported', 'finder setup', ...Array.from({ length: 3 }, () => 'finder searched')])
    expect(host.state('finder')).to.equal('active')
    expect(host.contributions.list(searchProviders)[0]).to.equal(before)
    expect(host.contributions.list(searchProviders)).to.have.length(1)
  })

  it('starts outside the call that needed it', async () => {
    await tree.write(finder('finder', { setup: `test.shared.set('work', test.shared.get('current')())` }))
    const host = await start()
    recorder.shared.set('current', () => currentWork().operation)
    const operation = {
      operationId: 'search',
      requestId: 'r1',
      address: '::1',
      userId: 'ada',
      sessionId: null,
      tokenId: null,
      open: true,
      noted: false,
    }
    await runWithin({ operation }, () => use(host, 'finder'))
    expect(recorder.shared.has('work')).to.equal(true)
    expect(recorder.shared.get('work')).to.equal(undefined)
  })

  it('starts when it is prepared; what fails then shows in its state', async () => {
    await tree.write(finder('finder'))
    await tree.write(finder('broken', { setup: `throw new Error('no luck')` }))
    const host = await start()
    host.contributions.prepare(searchProviders, 'absent')
    host.contributions.prepare(searchProviders, 'finder')
    host.contributions.prepare(searchProviders, 'broken')
    await recorder.noted('finder setup')
    await recorder.noted('broken setup')
    await host.host.enable('finder')
    expect([host.state('finder'), host.state('broken')]).to.deep.equal(['active', 'failed'])
  })

  it('has streams that start it with their first item, and end as those of its code', async () => {
    const source: RecordedContribution = {
      point: toolSources.id,
      functions: ['changes', 'execute', 'tools'],
      data: { specVersion: 1, id: 'source', title: 'A source', supports: { probe: false } },
    }
    await tree.write({
      manifest: { id: 'source', contributes: [toolSources.id] },
      recorded: recorded(source),
      setup: `
        context.contribute(point('tool.source'), {
          specVersion: 1, id: 'source', title: 'A source', supports: { probe: false },
          tools: async () => [], execute: async () => ({ content: [] }),
          async *changes() { try { yield { userId: 'ada' }; yield { userId: 'bob' } } finally { test.note('changes ended') } },
        })`,
    })
    const host = await start()
    expect(host.reason('source')).to.equal(null)
    const [listed] = host.contributions.list(toolSources)
    const seen: unknown[] = []
    const changes = listed?.value.changes?.({ signal: new AbortController().signal })
    expect(host.state('source')).to.equal('ready')
    for await (const change of changes ?? []) {
      seen.push(change)
      break
    }
    expect(seen).to.deep.equal([{ userId: 'ada' }])
    expect(recorder.events).to.deep.equal(['source setup', 'changes ended'])
  })

  it('has its routes and jobs from the start on', async () => {
    const route: RecordedContribution = {
      point: httpRoutes.id,
      functions: ['handle'],
      data: {
        specVersion: 1,
        method: 'GET',
        path: '/api/plugins/walker/way',
        operationId: 'readWay',
        summary: 'Reads.',
        auth: 'public',
        answers: { 204: { description: 'Nothing.' } },
      },
    }
    const job: RecordedContribution = {
      point: 'scheduler.job',
      functions: ['run'],
      data: { specVersion: 1, id: 'walker.walk', title: 'Walks', everySeconds: 60 },
    }
    await tree.write({
      manifest: { id: 'walker', contributes: [httpRoutes.id, 'scheduler.job'], routes: ['/api/plugins/walker'] },
      recorded: recorded(route, job),
      setup: `
        context.contribute(point('http.route'), { ...${JSON.stringify(route.data)}, handle: async () => { test.note('asked'); return { status: 204, kind: 'empty' } } })
        context.contribute(point('scheduler.job'), { ...${JSON.stringify(job.data)}, run: async () => test.note('walked') })`,
    })
    const host = await start()
    expect([host.state('walker'), host.reason('walker')]).to.deep.equal(['ready', null])
    expect(host.routes.list().map(({ route: { path } }) => path)).to.deep.equal(['/api/plugins/walker/way'])
    await host.jobs.get('walker.walk')?.run({ signal: new AbortController().signal } as never)
    const [listed] = host.contributions.list(httpRoutes)
    await (listed as Contributed<HttpRoute>).value.handle({} as never)
    expect(recorder.events).to.deep.equal(['walker setup', 'walked', 'asked'])
    expect(host.state('walker')).to.equal('active')
  })

  it('answers its first use with a clear error if it fails, and leaves nothing behind', async () => {
    await tree.write(finder('broken', { setup: `if (test.shared.get('broken')) throw new Error('no luck')` }))
    recorder.shared.set('broken', true)
    const host = await start()
    expect(await failure(use(host, 'broken')))
      .to.include({ code: 'plugin_unavailable', status: 503 })
      .and.have.nested.property('details.id', 'broken')
    expect([host.state('broken'), host.reason('broken')]).to.deep.equal(['failed', 'setup failed: no luck'])
    expect(host.contributions.list(searchProviders)).to.deep.equal([])
    recorder.shared.set('broken', false)
    await host.host.enable('broken')
    await use(host, 'broken')
    expect(host.state('broken')).to.equal('active')
  })

  it('is started again by itself if it was not ready when it was used', async () => {
    await tree.write(
      finder('sleeper', { setup: `if (test.shared.get('asleep')) throw sdk.pluginNotReadyError.create({ reason: 'the server sleeps' })` }),
    )
    recorder.shared.set('asleep', true)
    const host = await start()
    expect(await failure(use(host, 'sleeper'))).to.have.property('code', 'plugin_unavailable')
    expect(host.state('sleeper')).to.equal('retrying')
    recorder.shared.set('asleep', false)
    await host.clock.advance(1_200)
    // Switching waits for what is under way.
    await host.host.enable('sleeper')
    expect(host.state('sleeper')).to.equal('active')
    await use(host, 'sleeper')
  })

  it('starts with what it really contributes if that is something else than it offered', async () => {
    const other = finder('other')
    await tree.write({ ...other, recorded: recorded(search('other', 'Another title')) })
    const host = await start()
    expect(host.contributions.list(searchProviders)[0]?.value.title).to.equal('Another title')
    expect(await failure(use(host, 'other'))).to.have.property('code', 'plugin_unavailable')
    await host.host.enable('other')
    expect(host.state('other')).to.equal('active')
    expect(host.contributions.list(searchProviders)[0]?.value.title).to.equal('A search')
    expect(
      host.lines
        .filter(({ level }) => level === 'warn')
        .map(({ message }) => message)
        .join(),
    ).to.contain('its contribution “other” to search.provider is another one')
    await use(host, 'other')
  })

  it('starts with the service if it has other settings, or must not fail', async () => {
    await tree.write(finder('finder'))
    await tree.write(finder('needed'))
    const host = await start({
      required: ['needed'],
      configurationOf: ({ id }) => (id === 'finder' ? { language: 'de' } : {}),
    })
    expect([host.state('finder'), host.state('needed')]).to.deep.equal(['active', 'active'])
  })

  it('is refused if plugin.json records what its manifest does not list, or a collection of another', async () => {
    const folder = path.join(tree.root, 'elsewhere')
    const offers = { ...recorded(search('sneak')), collections: [{ name: 'agents.chats' }] }
    await tree.write({ manifest: { id: 'sneak', contributes: ['tool'] }, recorded: offers }, folder)
    const host = await start({ sources: [folder] })
    expect(host.state('sneak')).to.equal('failed')
    expect(host.reason('sneak')).to.contain('contribute() for “search.provider”').and.contain('the collection “agents.chats”')
    expect(host.contributions.list(searchProviders)).to.deep.equal([])
  })

  it('is refused if plugin.json records a function that answers at once', async () => {
    const tool: RecordedContribution = {
      point: 'tool',
      data: { specVersion: 1, name: 'dig', title: 'Dig', description: 'Digs in the garden.', parameters: {}, supports: { probe: false } },
      functions: ['execute', 'offered'],
    }
    await tree.write({ manifest: { id: 'digger', contributes: ['tool'] }, recorded: recorded(tool) })
    const host = await start()
    expect(host.state('digger')).to.equal('failed')
    expect(host.reason('digger')).to.contain('the function “offered” of tool, which cannot wait')
  })

  it('is refused as others are if it contributes to a point that there is not', async () => {
    await tree.write({
      manifest: { id: 'strange', contributes: ['strange.point'] },
      recorded: recorded({ point: 'strange.point', data: { specVersion: 1 }, functions: [] }),
    })
    const host = await start()
    expect(host.state('strange')).to.equal('failed')
    expect(host.reason('strange')).to.contain('strange.point')
  })
})
