import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { createTestKernel } from '@agent-service/kernel/testing'
import { type AgentPromptSection, agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { type MemoryBackend, type MemoryRecord, memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { removeFolder } from '../support/service-process.js'
import type { Figure } from './figures.js'
import plugin, { probe } from './memory-probe.js'

const users = 1_000
const memoriesEach = 200
const manyMemories = 10_000
const onOnePage = 300
/** Users before those that are measured: a process that has just started compiles its code. */
const warmUp = 50
/** Users of whom all memories are read, beside those of whom a prompt is made. */
const readWhole = 200
const aimBlockMs = 20
const aimTurnMs = 5
const at = '2026-01-01T00:00:00.000Z'
const { signal } = new AbortController()

/**
 * What memory costs: the block of a prompt with 1,000 users of 200 memories each, when it is wanted for the
 * first time and again; and how long each operation of a person with 10,000 memories keeps the process from
 * everything else.
 */
export async function benchMemoryLoad(print: (line: string) => void): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const backend of ['pkm', 'basic']) {
    print(
      `  ${backend}: ${users.toLocaleString('en-US')} users with ${memoriesEach} memories each, then one with ${manyMemories.toLocaleString('en-US')} …`,
    )
    figures.push(...(await withService(backend, (service) => measure(backend, service))))
  }
  return figures
}

interface Service {
  readonly backend: MemoryBackend
  readonly section: AgentPromptSection
}

async function withService<Result>(backend: string, work: (service: Service) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-memory-'))
  const folders = [await writeTestPlugin(path.join(folder, 'probe'), plugin, new URL('./memory-probe.js', import.meta.url))]
  const kernel = await createTestKernel({
    folder: path.join(folder, 'service'),
    environment: { SERVICE_MEMORY_BACKEND: backend },
    plugins: folders,
    maxLogLines: 100,
  })
  try {
    const leases = [
      probe.contributions?.acquire(memoryBackends, backend),
      probe.contributions?.acquire(agentPromptSections, 'memory'),
    ] as const
    if (!leases[0] || !leases[1]) throw new Error(`The service has no memory “${backend}”.`)
    return await work({ backend: leases[0].value, section: leases[1].value })
  } finally {
    await kernel.stop()
    await removeFolder(folder)
  }
}

async function measure(name: string, { backend, section }: Service): Promise<readonly Figure[]> {
  const userIds = Array.from({ length: users }, (_, index) => `bench-user-${index}`)
  for (const userId of userIds) await backend.import(userId, recordsOf(notes(memoriesEach)), { signal })
  const before = heapMb()
  const textFor = (userId: string): Promise<unknown> =>
    section.text(
      { userId, agent: { id: 'agent-1', memory: { enabled: true } }, chatId: 'chat-1', spaceId: null, maxTokens: 5_000 } as never,
      { signal },
    ) as Promise<unknown>
  await timesOf(userIds.slice(0, warmUp), textFor)
  const first = await timesOf(userIds.slice(warmUp, -readWhole), textFor)
  const whole = await timesOf(userIds.slice(-readWhole), (userId) => backend.list({ userId }, { limit: 1, signal }))
  const again = await timesOf(
    userIds.slice(-50).flatMap((userId) => Array.from({ length: 20 }, () => userId)),
    textFor,
  )
  const held = heapMb() - before
  const turn = (what: string, times: readonly number[]): Figure => ({
    ...{ what: `${name}: block of a prompt, ${what}, p99`, ours: percentile(times, 0.99), unit: 'ms' },
    aim: { text: `below ${aimTurnMs}`, met: percentile(times, 0.99) < aimTurnMs },
  })
  return [
    { what: `${name}: block of a prompt, the first of a user, median`, ours: percentile(first, 0.5), unit: 'ms' },
    turn('the first of a user', first),
    {
      ...{ what: `${name}: reading all memories of a user against that block, median`, unit: 'times as long' },
      ours: percentile(whole, 0.5) / percentile(first, 0.5),
    },
    turn('the next ones', again),
    { what: `${name}: held of ${users.toLocaleString('en-US')} users at most`, ours: held, unit: 'MB' },
    ...(await blocksOf(name, backend)),
  ]
}

/** The longest that each operation keeps the event loop. */
async function blocksOf(name: string, backend: MemoryBackend): Promise<readonly Figure[]> {
  const userId = 'bench-user-many'
  const figures: Figure[] = []
  const block = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    await wait(50)
    const delays = monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    // Its first delay counts from its first tick: without one, a block right away would be missed.
    await wait(5)
    const result = await work()
    await wait(5)
    delays.disable()
    const longest = delays.max / 1e6
    figures.push({
      ...{ what: `${name}: longest block, ${what}`, ours: longest, unit: 'ms' },
      aim: { text: `below ${aimBlockMs}`, met: longest < aimBlockMs },
    })
    return result
  }
  const reader = { userId, agentId: 'agent-1' }
  const scope = { kind: 'user' } as const
  await block('taking in 10,000', () => backend.import(userId, recordsOf([...notes(manyMemories - onOnePage - 2), ...page()]), { signal }))
  await block('a prompt', () => backend.promptText({ ...reader, maxTokens: 5_000 }, { signal }))
  await block('a list', () => backend.list({ userId }, { limit: 100, signal }))
  await block('one by its id', () => backend.get('note-1', { userId }, { signal }))
  await block('the first search', () => backend.search({ ...reader, text: 'where does she live', limit: 8 }, { signal }))
  await block('a further search', () => backend.search({ ...reader, text: 'likes green tea', limit: 8 }, { signal }))
  const { id } = await block('remembering', () => backend.remember({ userId, scope, text: 'Has a new bicycle.', key: 'k1' }, { signal }))
  await block('correcting', () => backend.change(id, { text: 'Has a new boat.' }, { userId, signal }))
  await block('forgetting', () => backend.forget('note-2', { userId, signal }))
  await block(`forgetting a page of ${onOnePage}`, () => backend.forget('page-1', { userId, signal }))
  await block('a deleted chat', async () => {
    await backend.chatChanged(
      { userId, chatId: 'chat-7', agentId: 'agent-1', spaceId: null, reason: 'deleted', at: new Date().toISOString() },
      { signal },
    )
    for (let more = true; more; ) more = (await backend.sweep?.({ signal }))?.more ?? false
  })
  await block('an export', async () => {
    for await (const _ of backend.export(userId, { signal }));
  })
  await block('erasing', () => backend.erase(userId, { signal }))
  return figures
}

const base = { format: 1, scope: { kind: 'user' }, pinned: false, fadesAt: null, createdAt: at, updatedAt: at } as const
const topics = ['likes green tea', 'lives near the river', 'works on a bridge in', 'has a meeting about', 'reads books about']

const notes = (count: number): readonly MemoryRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ ...base, id: `note-${index}`, kind: 'note' as const, evidence: [{ chatId: `chat-${index % 50}` }] },
    text: `She ${topics[index % topics.length]} ${index}, as she told on day ${index * 7}.`,
  }))

function page(): readonly MemoryRecord[] {
  const own = { origin: 'chat', sources: [], buried: [] }
  const statement = { ...own, type: 'statement', page_id: 'page-1', property: 'likes', valid_from: null, valid_to: null, expired_at: null }
  return [
    {
      ...{ ...base, id: 'page-1', kind: 'summary', title: 'Ada', text: 'Much is known of Ada.', evidence: [] },
      details: { pkm: { ...own, type: 'page', title: 'Ada', class: 'person', aliases: [], links: [] } },
    },
    ...Array.from({ length: onOnePage }, (_, index): MemoryRecord => {
      const text = `Ada likes the song number ${index}.`
      return {
        ...{ ...base, id: `statement-${index}`, kind: 'statement', pageId: 'page-1', text, evidence: [] },
        details: { pkm: { ...statement, value: text, superseded_by: null, confidence: 1, disputes: null } },
      }
    }),
  ]
}

async function* recordsOf(records: readonly MemoryRecord[]): AsyncGenerator<MemoryRecord> {
  yield* records
}

async function timesOf(userIds: readonly string[], work: (userId: string) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (const userId of userIds) {
    const begin = performance.now()
    if ((await work(userId)) === undefined) throw new Error(`Nothing is remembered of ${userId}.`)
    times.push(performance.now() - begin)
  }
  return times
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

function heapMb(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1_048_576
}
