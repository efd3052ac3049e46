import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { JournalEntry, KillPlan } from '../programs/event-plugins.js'
import { eventReader, eventWriter } from '../programs/event-plugins.js'
import { type Api, confirm, signUp } from '../support/api.js'
import { fewPlugins } from '../support/few-plugins.js'
import { createRandom, seedOfRun } from '../support/random.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { waitForFolder } from '../support/wait-for-folder.js'

describe('a durable subscription in a service that is killed', function () {
  this.timeout(90_000)
  let folder: string
  let journalFolder: string
  let service: ServiceProcess | undefined

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-events-'))
    journalFolder = path.join(folder, 'journal')
    await mkdir(journalFolder)
    await writeFile(path.join(journalFolder, 'journal.jsonl'), '')
    await writePlugin('event-writer', 'eventWriter()', eventWriter().manifest)
    const options = { folder: journalFolder }
    await writePlugin('event-reader', `eventReader(${JSON.stringify(options)})`, eventReader(options).manifest)
  })
  afterEach(async () => {
    await service?.kill()
    service = undefined
    await removeFolder(folder)
  })

  const writePlugin = async (id: string, expression: string, manifest: object): Promise<void> => {
    const place = path.join(folder, id)
    const program = new URL('../programs/event-plugins.js', import.meta.url).href
    const about = { name: id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }
    await mkdir(place)
    await writeFile(path.join(place, 'package.json'), JSON.stringify(about))
    await writeFile(path.join(place, 'plugin.json'), JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }))
    const code = `import { eventReader, eventWriter } from ${JSON.stringify(program)}\n\nvoid [eventReader, eventWriter]\nexport default ${expression}\n`
    await writeFile(path.join(place, 'index.js'), code)
  }

  const start = async (): Promise<Api> => {
    const sources = [path.join(folder, 'event-writer'), path.join(folder, 'event-reader')]
    // Streams keep nothing at all: what a subscription gets is kept for it alone.
    const environment = { ...fewPlugins(), SERVICE_PLUGINS_SOURCES: JSON.stringify(sources), SERVICE_SERVER_SSE_PENDING_EVENTS_SECS: '0' }
    service = await startServiceProcess({ folder, environment })
    return signUp(service.url, 'ada')
  }
  const note = async (api: Api, from: number, count: number): Promise<void> => {
    const { status } = await api.request('POST', '/api/plugins/event-writer/notes', { from, count })
    expect(status, service?.log.filter((line) => line.includes('does not run')).join('\n')).to.equal(200)
  }
  const plan = (killPlan: KillPlan): Promise<void> => writeFile(path.join(journalFolder, 'plan.json'), JSON.stringify(killPlan))
  const journal = async (): Promise<readonly JournalEntry[]> =>
    (await readFile(path.join(journalFolder, 'journal.jsonl'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JournalEntry)
  const journalHas = async (n: number): Promise<readonly JournalEntry[]> => {
    await waitForFolder(journalFolder, async () => (await journal()).some((entry) => entry.n === n) || undefined)
    return journal()
  }
  const killed = async (): Promise<void> => {
    const { child } = service ?? {}
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  /**
   * Every number once and in order, where one that comes twice stands beside itself, with one id.
   */
  const expectComplete = (entries: readonly JournalEntry[], last: number): void => {
    const first = entries.filter(({ n }, index) => index === 0 || entries[index - 1]?.n !== n)
    expect(first.map(({ n }) => n)).to.deep.equal(Array.from({ length: last }, (_, index) => index + 1))
    expect(new Set(entries.map(({ id }) => id)).size).to.equal(last)
  }

  it('gets an event whose handling had not begun, and the following ones', async () => {
    let ada = await start()
    await note(ada, 1, 3)
    await journalHas(3)
    await plan({ n: 5, moment: 'before' })
    await note(ada, 4, 7).catch(() => undefined)
    await killed()
    expect((await journal()).map(({ n }) => n)).to.deep.equal([1, 2, 3, 4])
    ada = await start()
    await note(ada, 100, 1)
    const entries = await journalHas(100)
    const committed = entries.filter(({ n }) => n < 100)
    expect(committed.length).to.be.greaterThan(4)
    expectComplete(committed, committed.at(-1)?.n ?? 0)
    expect(
      entries.map(({ n }) => n),
      'none comes twice: nothing was handled when it died',
    ).to.deep.equal([...new Set(entries.map(({ n }) => n))])
  })

  it('gets a handled but unacknowledged event again, under the same id', async () => {
    const ada = await start()
    await plan({ n: 2, moment: 'behind' })
    await note(ada, 1, 3).catch(() => undefined)
    await killed()
    expect((await journal()).map(({ n }) => n)).to.deep.equal([1, 2])
    await note(await start(), 50, 1)
    const entries = await journalHas(50)
    expect(entries.map(({ n }) => n).slice(0, 3)).to.deep.equal([1, 2, 2])
    expect(entries[1]?.id).to.equal(entries[2]?.id)
  })

  it('misses no committed event, and keeps the order, however often the process is killed', async () => {
    const random = createRandom(seedOfRun())
    let acknowledged = 0
    let attempted = 0
    for (let life = 0; life < 2; life += 1) {
      const ada = await start()
      const until = random.between(3, 25)
      for (let request = 0; request < until; request += 1) {
        attempted += 1
        await note(ada, attempted, 1)
        acknowledged = attempted
      }
      await service?.kill()
    }
    await note(await start(), acknowledged + 1, 1)
    expectComplete(await journalHas(acknowledged + 1), acknowledged + 1)
  })

  it('catches up on events from while its plugin was disabled, also after a restart', async () => {
    let ada = await start()
    await note(ada, 1, 2)
    await journalHas(2)
    await confirm(ada)
    expect((await ada.request('POST', '/api/admin/plugins/event-reader/disable')).status).to.equal(200)
    await note(ada, 3, 4)
    await service?.kill()
    ada = await start()
    await note(ada, 7, 2)
    expect(await journal()).to.have.length(2)
    await confirm(ada)
    expect((await ada.request('POST', '/api/admin/plugins/event-reader/enable')).status).to.equal(200)
    expectComplete(await journalHas(8), 8)
  })

  it('gets no event that a plugin may not publish: the request fails, and the log names the plugin', async () => {
    const ada = await start()
    const wrong = (name: string) => ada.request('POST', '/api/plugins/event-writer/wrong', { name, n: 'many' })
    expect((await wrong('event-writer.noted')).status).to.equal(500)
    expect((await wrong('event-writer.other')).status).to.equal(500)
    expect((await wrong('chat.updated')).status).to.equal(500)
    await note(ada, 1, 1)
    expectComplete(await journalHas(1), 1)
    const { body } = await ada.request('GET', '/api/events/types')
    const types = body['types'] as readonly { readonly name: string; readonly schema: unknown }[]
    expect(types.map(({ name }) => name)).to.include.members(['event-writer.noted', 'run.started', 'text.delta'])
    expect(types.find(({ name }) => name === 'event-writer.noted')).to.have.nested.property('schema.properties.n.type', 'integer')
    await service?.stop()
    const log = service?.log.join('\n') ?? ''
    expect(log).to.match(/“event-writer.noted” of plugin “event-writer” does not match the schema/)
    expect(log).to.match(/“event-writer” may not publish “event-writer.other”/)
    expect(log).to.match(/“event-writer” may not publish “chat.updated”: that type of event belongs to plugin “feature-agents”/)
  })
})
