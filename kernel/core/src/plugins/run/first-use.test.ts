import path from 'node:path'
import type { RecordedContribution, RecordedSetup } from '@agent-service/sdk'
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
  type PluginFiles,
  type PluginTree,
  type Recorder,
  type TestHost,
  type TestHostOptions,
} from './fixture.test.js'

const search = (id: string, title = 'A search'): RecordedContribution => ({
  point: searchProviders.id,
  data: { specVersion: 1, id, title },
  functions: ['search'],
})

const recorded = (...contributions: readonly RecordedContribution[]): RecordedSetup => ({ settings: {}, collections: [], contributions })

/** A plugin whose search answers with its id. */
const finder = (id: string, more: Partial<PluginFiles> & { readonly links?: PluginFiles['manifest'] | object } = {}): PluginFiles => ({
  manifest: { id, contributes: [searchProviders.id], ...more.links },
  recorded: recorded(search(id)),
  setup: `
    ${more.setup ?? ''}
    context.contribute(point('search.provider'), {
      specVersion: 1, id: '${id}', title: 'A search', async search() { test.note('${id} searched'); return { results: [] } },
    })`,
})

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
  const use = async ({ contributions }: TestHost, id: string): Promise<unknown> => {
    const lease = contributions.acquire(searchProviders, id)
    if (lease === undefined) throw new Error(`Nothing has contributed ${id}.`)
    try {
      return await lease.value.search({ text: 'tea', limit: 1 }, {}, { signal: lease.signal })
    } finally {
      lease.release()
    }
  }
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'no failure',
      (error: unknown) => error,
    )

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
      ...{ operationId: 'search', requestId: 'r1', address: '::1', userId: 'ada', sessionId: null, tokenId: null },
      ...{ open: true, noted: false },
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
      ...{ point: toolSources.id, functions: ['changes', 'execute', 'tools'] },
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
      ...{ point: httpRoutes.id, functions: ['handle'] },
      data: {
        ...{ specVersion: 1, method: 'GET', path: '/api/plugins/walker/way', operationId: 'readWay', summary: 'Reads.', auth: 'public' },
        answers: { 204: { description: 'Nothing.' } },
      },
    }
    const job: RecordedContribution = {
      ...{ point: 'scheduler.job', functions: ['run'], data: { specVersion: 1, id: 'walker.walk', title: 'Walks', everySeconds: 60 } },
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

  it('is refused as others are if it contributes to a point that there is not', async () => {
    await tree.write({
      manifest: { id: 'strange', contributes: ['strange.point'] },
      recorded: recorded({ point: 'strange.point', data: { specVersion: 1 }, functions: [] }),
    })
    const host = await start()
    expect(host.state('strange')).to.equal('failed')
    expect(host.reason('strange')).to.contain('strange.point')
  })

  describe('with a service of another one', () => {
    beforeEach(async () => {
      await tree.write(
        finder('giver', {
          links: { provides: ['gift'] },
          setup: `if (test.shared.get('broken')) throw new Error('no luck'); context.provide(ref('gift'), 'a bell')`,
        }),
      )
      await tree.write(finder('taker', { links: { requires: ['gift'] }, setup: `test.note('took ' + context.use(ref('gift')))` }))
    })

    it('starts that one first, and stops before it', async () => {
      const host = await start()
      expect([host.state('giver'), host.state('taker')]).to.deep.equal(['ready', 'ready'])
      await use(host, 'taker')
      expect(recorder.events).to.deep.equal(['giver setup', 'taker setup', 'took a bell', 'taker searched'])
      await host.host.stop()
      expect(recorder.events.slice(4)).to.deep.equal(['taker disposed', 'giver disposed'])
      expect([host.state('giver'), host.state('taker')]).to.deep.equal(['stopped', 'stopped'])
    })

    it('is started for one that starts with the service', async () => {
      await tree.write({ manifest: { id: 'eager', requires: ['gift'] }, setup: `test.note('has ' + context.use(ref('gift')))` })
      const host = await start()
      expect(recorder.events).to.deep.equal(['giver setup', 'eager setup', 'has a bell'])
      expect([host.state('giver'), host.state('taker'), host.state('eager')]).to.deep.equal(['active', 'ready', 'active'])
    })

    it('is blocked while that one is switched off, or failed when it was needed', async () => {
      const host = await start()
      const { stopped } = await host.host.disable('giver')
      expect(stopped).to.deep.equal(['taker', 'giver'])
      expect([host.state('giver'), host.state('taker')]).to.deep.equal(['disabled', 'blocked'])
      expect(host.contributions.list(searchProviders)).to.deep.equal([])
      await host.host.enable('giver')
      expect([host.state('giver'), host.state('taker')]).to.deep.equal(['ready', 'ready'])
      recorder.shared.set('broken', true)
      expect(await failure(use(host, 'taker'))).to.have.property('code', 'plugin_unavailable')
      await host.host.enable('taker')
      expect([host.state('giver'), host.state('taker')]).to.deep.equal(['failed', 'blocked'])
      expect(host.reason('taker')).to.contain('“gift”')
      recorder.shared.set('broken', false)
      await host.host.enable('giver')
      await use(host, 'taker')
      expect(host.state('taker')).to.equal('active')
    })
  })

  describe('that is starting', () => {
    const hanging = async (): Promise<TestHost> => {
      await tree.write(
        finder('hanging', {
          setup: `await new Promise((resolve) => { test.shared.set('go', resolve); context.signal.addEventListener('abort', resolve) })`,
        }),
      )
      return start()
    }

    it('keeps no change of the host waiting', async () => {
      await tree.write({ manifest: { id: 'stone' } })
      const host = await hanging()
      const used = failure(use(host, 'hanging'))
      await recorder.noted('hanging setup')
      await host.host.disable('stone')
      expect([host.state('hanging'), host.state('stone')]).to.deep.equal(['starting', 'disabled'])
      ;(recorder.shared.get('go') as () => void)()
      expect(await used).to.equal('no failure')
    })

    it('is cancelled when it is switched off; its callers get an error', async () => {
      const host = await hanging()
      const used = failure(use(host, 'hanging'))
      await recorder.noted('hanging setup')
      await host.host.disable('hanging')
      expect(await used).to.have.property('code', 'plugin_unavailable')
      expect(host.state('hanging')).to.equal('disabled')
      expect(host.contributions.list(searchProviders)).to.deep.equal([])
    })

    it('is cancelled when the service stops', async () => {
      const host = await hanging()
      const used = failure(use(host, 'hanging'))
      await recorder.noted('hanging setup')
      await host.host.stop()
      expect(await used).to.have.property('code', 'plugin_unavailable')
      expect(host.state('hanging')).to.equal('stopped')
      expect(recorder.events).to.deep.equal(['hanging setup', 'hanging disposed'])
    })
  })
})
