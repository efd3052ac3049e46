import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { EventKillPlan } from '../programs/kill-around-events.js'
import { type Api, type EventStream, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins } from '../support/few-plugins.js'
import { unpackBuiltExample } from '../support/packed-sdk.js'
import { createRandom, seedOfRun } from '../support/random.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { startTalkingUpstream, type TalkAnswer, type TalkingUpstream, type TalkRequest } from '../support/talking-upstream.js'

const base = '/api/plugins/feature-journal'
const writtenEvent = 'feature-journal.written'

interface Entry {
  readonly id: string
  readonly notebook: string
  readonly text: string
  readonly chat_id: string | null
}

/**
 * Calls the tool of the garden where it is offered and the person asks for that; reflects on the
 * day that a message names.
 */
function answerTo({ messages, tools = [] }: TalkRequest): TalkAnswer {
  const last = messages.findLast(({ role }) => role === 'user' || role === 'tool')
  if (last?.role === 'tool') return { text: 'It is written down.' }
  const asked = JSON.stringify(last?.content)
  const day = /Look back on (\d{4}-\d{2}-\d{2})/.exec(asked)?.[1]
  if (day !== undefined) return { text: JSON.stringify({ text: `What I take from ${day}.` }) }
  const tool = tools.map((each) => each.function.name).find((name) => name.endsWith('write_in_garden'))
  return tool !== undefined && asked.includes('Write down') ? { tool, input: { text: 'Watered the beans' } } : { text: 'Hello.' }
}

/**
 * A stranger's feature: in a folder with the packed SDK alone, where another test compiles it, in a
 * service that is a process of its own.
 */
describe('the example feature-journal in a service that is killed', function () {
  this.timeout(120_000)
  let folder: string
  let plugin: string
  let upstream: TalkingUpstream
  let service: ServiceProcess | undefined
  let ada: Api
  let stream: EventStream

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-journal-'))
    plugin = path.join(folder, 'feature-journal')
    await mkdir(plugin)
    await unpackBuiltExample(plugin, 'feature-journal')
    await enterThroughKiller()
    upstream = await startTalkingUpstream(answerTo)
    await writeConfiguration(folder, upstream.url)
    await start()
  })
  after(async () => {
    stream?.close()
    await service?.kill()
    await upstream?.close()
    await removeFolder(folder)
  })

  const planPath = (): string => path.join(folder, 'plan.json')
  /**
   * The compiled plugin is entered through a module that can kill the process around its handler.
   */
  async function enterThroughKiller(): Promise<void> {
    const program = new URL('../programs/kill-around-events.js', import.meta.url).href
    const code = [
      `import { definePlugin } from '@agent-service/sdk'`,
      `import { killAroundEvents } from ${JSON.stringify(program)}`,
      `import plugin from './index.js'`,
      `export default definePlugin({ ...plugin, ...killAroundEvents(plugin, ${JSON.stringify(planPath())}) })`,
    ]
    await writeFile(path.join(plugin, 'dist/killed.js'), `${code.join('\n')}\n`)
    const manifestPath = path.join(plugin, 'dist/plugin.json')
    const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as object
    await writeFile(manifestPath, JSON.stringify({ ...manifest, entry: './killed.js' }))
  }
  async function start(): Promise<void> {
    const environment = { ...fewPlugins(), SERVICE_PLUGINS_SOURCES: JSON.stringify([plugin]), UPSTREAM_KEY: 'upstream-key-0123456789' }
    service = await startServiceProcess({ folder, environment })
    ada = await signUp(service.url, 'ada')
    stream = await ada.stream()
  }
  async function died(): Promise<void> {
    const { child } = service ?? {}
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    expect(child?.signalCode).to.equal('SIGKILL')
  }
  async function call(method: string, place: string, status: number, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await ada.request(method, place, body)
    const log = service?.log.filter((line) => line.includes('feature-journal')).join('\n')
    expect(answer.status, `${method} ${place}: ${JSON.stringify(answer.body)}\n${log}`).to.equal(status)
    return answer.body
  }
  const journal = async (): Promise<readonly Entry[]> => (await call('GET', `${base}/entries?limit=200`, 200))['items'] as readonly Entry[]
  const reflect = (day: string) => call('POST', `${base}/reflections`, 202, { day })
  /**
   * Looks, and again after each entry that is reported, until the journal has what is looked for.
   */
  async function journalHas(fits: (entries: readonly Entry[]) => boolean): Promise<readonly Entry[]> {
    for (;;) {
      const seen = stream.events.length
      const entries = await journal()
      if (fits(entries)) return entries
      await stream.next(seen, ({ name }) => name === writtenEvent)
    }
  }
  const reflectionsIn = (entries: readonly Entry[]): readonly string[] =>
    entries.filter(({ notebook }) => notebook === 'reflections').map(({ text }) => /\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? text)
  async function ask(content: string): Promise<string> {
    const agents = (await call('GET', '/api/agents', 200))['items'] as readonly { readonly id: string }[]
    await call('PATCH', `/api/agents/${agents[0]?.id}`, 200, { tools: ['feature_journal__*'] })
    const chatId = String((await call('POST', '/api/chats', 201, {}))['id'])
    const posted = await call('POST', `/api/chats/${chatId}/messages`, 202, { content })
    const { id } = posted['run'] as { readonly id: string }
    await stream.until(({ name, data }) => name === 'run.completed' && data['run_id'] === id)
    return chatId
  }
  const ofChat = (entries: readonly Entry[], chatId: unknown): readonly string[] =>
    entries.filter(({ chat_id }) => chat_id === chatId).map(({ text }) => text)

  it('starts a run whose model reads the journal, and records its outcome', async () => {
    await call('POST', `${base}/entries`, 201, { notebook: 'garden', text: 'Planted beans by the fence' })
    const { run_id, chat_id } = await reflect('2026-01-01')
    const entries = await journalHas((found) => reflectionsIn(found).length === 1)
    expect(ofChat(entries, chat_id)).to.deep.equal(['What I take from 2026-01-01.'])
    const asked = upstream.requests.find(({ messages }) => JSON.stringify(messages).includes('Look back on'))
    expect(asked?.messages[0]?.role).to.equal('system')
    expect(JSON.stringify(asked?.messages[0]?.content)).to.include('garden: Planted beans by the fence')
    expect((await reflect('2026-01-01'))['run_id'], 'the same day is the same run').to.equal(run_id)
  })

  it('has a tool for each open notebook', async () => {
    const offered = (): readonly string[] =>
      (upstream.requests.at(-1)?.tools ?? []).map((each) => each.function.name).filter((name) => name !== 'read_skill')
    await call('PUT', `${base}/notebooks/garden`, 204)
    const chatId = await ask('Write down that I watered the beans.')
    expect(offered()).to.deep.equal(['feature_journal__write_in_garden'])
    expect(ofChat(await journal(), chatId)).to.deep.equal(['Watered the beans'])
    await call('DELETE', `${base}/notebooks/garden`, 204)
    await ask('Write down that I watered the beans.')
    expect(offered()).to.deep.equal([])
    await call('PUT', `${base}/notebooks/garden`, 204)
  })

  it('exports, imports and deletes entries with their chat', async () => {
    const chatId = await ask('Write down that I watered the beans.')
    const document = await call('GET', `/api/chats/${chatId}/export`, 200)
    expect(document['parts']).to.have.nested.property('feature-journal[0].text', 'Watered the beans')
    const copy = await call('POST', '/api/chats/import', 201, document)
    expect(copy).not.to.have.property('parts_left_out')
    expect(ofChat(await journal(), copy['id'])).to.deep.equal(['Watered the beans'])
    await call('DELETE', `/api/chats/${chatId}`, 204)
    await call('DELETE', `/api/chats/bin/${chatId}`, 204)
    const left = await journal()
    expect(ofChat(left, chatId)).to.deep.equal([])
    expect(ofChat(left, copy['id'])).to.deep.equal(['Watered the beans'])
    expect(left.some(({ text }) => text === 'Planted beans by the fence')).to.equal(true)
  })

  for (const [moment, day] of [
    ['before', '2026-02-01'],
    ['behind', '2026-02-02'],
  ] as const) {
    it(`misses and repeats nothing when it dies ${moment} its handler`, async () => {
      const plan: EventKillPlan = { reportsTo: day, moment }
      await writeFile(planPath(), JSON.stringify(plan))
      await reflect(day)
      await died()
      stream.close()
      await start()
      // The next day's event stands behind the one that comes again.
      const next = day.replace('-02-', '-03-')
      await reflect(next)
      const days = reflectionsIn(await journalHas((entries) => reflectionsIn(entries).includes(next)))
      expect(days).to.include(day)
      expect(new Set(days).size).to.equal(days.length)
    })
  }

  it('misses and repeats nothing when it is killed at random while runs end', async () => {
    const seed = seedOfRun()
    const random = createRandom(seed)
    const days: string[] = []
    for (let life = 0; life < 2; life += 1) {
      const answered = upstream.answered(upstream.requests.length + random.between(1, 4))
      for (let index = 0; index < 4; index += 1) {
        const day = `2026-0${4 + life}-0${1 + index}`
        days.push(day)
        await reflect(day)
      }
      await answered
      await service?.kill()
      stream.close()
      await start()
    }
    const entries = await journalHas((found) => days.every((day) => reflectionsIn(found).includes(day)))
    const all = ['2026-01-01', '2026-02-01', '2026-02-02', '2026-03-01', '2026-03-02', ...days]
    expect([...reflectionsIn(entries)].sort(), `SEED=${seed}`).to.deep.equal(all.sort())
  })
})
