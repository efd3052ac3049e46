import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Api, clientWith, confirm, signUp } from '../support/api.js'
import { createRandom } from '../support/random.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import type { CampaignOptions } from './index.js'

/** What was moved there and back; it throws when something is missing or differs. */
export interface MemoryMigrationOutcome {
  readonly records: number
  /** Memories that people added meanwhile, and that were acknowledged. */
  readonly added: number
  readonly kills: number
}

const full = { people: 20, records: 500 }
const short = { people: 4, records: 50 }
const at = '/api/admin/memory/migration'
/** How long one step of a migration may take: a migration that stands still has not ended by then. */
const limitMs = 300_000

/** A record of the neutral format, as an export has it. */
type Line = Readonly<Record<string, unknown>>

/**
 * Moves everything from `pkm` to `basic` and back while people go on adding memories, with a SIGKILL
 * on each way: what `pkm` knows comes back as it was, statements with their times, pages, playbooks and
 * forgotten ones too, and nothing that was added meanwhile is missing in between or at the end.
 */
export async function run({ seed, full: isFull, print }: CampaignOptions): Promise<MemoryMigrationOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const { people: peopleCount, records } = isFull ? full : short
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-memory-migration-'))
  await mkdir(path.join(folder, 'data'))
  await writeFile(path.join(folder, 'data', 'config.yaml'), 'memory:\n  backend: pkm\n')
  // Tokens stay good over its processes, since their issuer has no port in it.
  const environment = {
    ...{ SERVICE_SERVER_SHUTDOWN_TIMEOUT_SECS: '5', SERVICE_SERVER_BASE_URL: 'http://localhost:9' },
    SERVICE_AUTH_ACCESS_TOKEN_EXPIRY_SECS: '86400',
  }
  const start = () => startServiceProcess({ folder, environment })
  let service: ServiceProcess = await start()
  const names = Array.from({ length: peopleCount }, (_, index) => `person${index}`)
  let people: readonly Api[] = []
  let isOver = false
  const added = new Map<string, string[]>(names.map((name) => [name, []]))
  const load: Promise<void>[] = []

  const killAndStart = async (): Promise<void> => {
    await service.kill()
    service = await start()
    people = people.map((person) => clientWith(service.url, person))
  }
  const migrate = async (to: string): Promise<void> => {
    const [admin] = people
    if (!admin) throw new Error('There are no people.')
    await demand(admin, 'POST', at, { to }, 202)
    await setTimeout(random.next() * 500)
    await killAndStart()
    await untilState(people, ['ready'])
    await setBackend(service.url, people, to)
    await demand(first(people), 'POST', '/api/admin/restart', undefined, 202)
    const state = await untilState(people, ['done'])
    if (state['error'] !== null) throw new Error(`The migration ended with an error: ${JSON.stringify(state)}`)
    const { body } = await first(people).request('GET', '/api/memory/status')
    if (body['backend'] !== to) throw new Error(`${String(body['backend'])} is in use instead of ${to}.`)
  }
  try {
    people = await inOrder(names, (name) => patiently(() => signUp(service.url, name)))
    for (const [index, person] of people.entries()) await importLines(service.url, person, linesFor(index, records))
    const before = await inOrder(people, (person) => exportOf(service.url, person))
    print(`${before.reduce((sum, lines) => sum + lines.length, 0)} records of ${peopleCount} people`)
    for (const [index, name] of names.slice(0, 2).entries()) {
      load.push(
        (async () => {
          for (let number = 0; !isOver; number += 1) {
            const text = `${name} added number ${number}.`
            // One that is refused or cut off may have been stored, and does not count.
            const answer = await people[index]?.request('POST', '/api/memory', { text }).catch(() => undefined)
            if (answer?.status === 201) added.get(name)?.push(text)
            await setTimeout(isFull ? 50 : 20)
          }
        })(),
      )
    }
    let began = Date.now()
    await migrate('basic')
    print(`pkm to basic: ${Date.now() - began} ms`)
    const between = await inOrder(people, (person) => exportOf(service.url, person))
    for (const [index, lines] of before.entries()) demandIds(names[index] ?? '', lines, between[index] ?? [])
    began = Date.now()
    await migrate('pkm')
    print(`basic to pkm: ${Date.now() - began} ms`)
    isOver = true
    await Promise.all(load)
    const after = await inOrder(people, (person) => exportOf(service.url, person))
    for (const [index, lines] of before.entries()) demandSame(names[index] ?? '', lines, after[index] ?? [])
    for (const [index, name] of names.entries()) {
      const texts = new Set((after[index] ?? []).map(({ text }) => text))
      const missing = (added.get(name) ?? []).filter((text) => !texts.has(text))
      if (missing.length > 0) throw new Error(`${missing.length} memories that ${name} added are missing: ${missing.slice(0, 3).join(' ')}`)
    }
    const outcome = { records: before.flat().length, added: [...added.values()].flat().length, kills: 2 }
    print(`${outcome.records} records there and back, ${outcome.added} added meanwhile, ${outcome.kills} kills: nothing is missing`)
    return outcome
  } catch (error) {
    print(service.log.slice(-20).join('\n'))
    throw error
  } finally {
    isOver = true
    await Promise.allSettled(load)
    await service.kill()
    await removeFolder(folder)
  }
}

/** Many sign-ups from one address have to wait for each other. */
async function patiently(enter: () => Promise<Api>): Promise<Api> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await enter()
    } catch (error) {
      if (tries > 60 || !String(error).includes('answered 429')) throw error
      await setTimeout(1_000)
    }
  }
}

async function inOrder<T, Result>(items: readonly T[], make: (item: T) => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await make(item))
  return results
}

function first<T>(items: readonly T[]): T {
  const [item] = items
  if (item === undefined) throw new Error('There are no people.')
  return item
}

async function demand(api: Api, method: string, target: string, body: object | undefined, status: number): Promise<void> {
  const answer = await api.request(method, target, body)
  if (answer.status !== status) throw new Error(`${method} ${target} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}

async function untilState(people: readonly Api[], states: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  let last: unknown
  for (let waited = 0; waited < limitMs; waited += 100) {
    const answer = await first(people)
      .request('GET', at)
      .catch(() => undefined)
    const state = answer?.status === 200 ? (answer.body['migration'] as Readonly<Record<string, unknown>> | null) : undefined
    if (state && states.includes(String(state['state']))) return state
    if (state?.['state'] === 'failed') throw new Error(`The migration failed: ${JSON.stringify(state)}`)
    if (state) last = state
    await setTimeout(100)
  }
  throw new Error(`The migration did not become ${states.join(' or ')}: ${JSON.stringify(last)}`)
}

async function setBackend(url: string, people: readonly Api[], to: string): Promise<void> {
  await confirm(first(people))
  const authorization = `Bearer ${first(people).token}`
  const answer = await fetch(`${url}/api/admin/config`, { headers: { authorization } })
  const saved = await fetch(`${url}/api/admin/config`, {
    method: 'PATCH',
    headers: { authorization, 'content-type': 'application/json', 'if-match': answer.headers.get('etag') ?? '' },
    body: JSON.stringify({ set: { 'memory.backend': to } }),
  })
  if (saved.status !== 200) throw new Error(`The setting was not saved: ${await saved.text()}`)
}

async function importLines(url: string, { token }: Api, lines: readonly Line[]): Promise<void> {
  const answer = await fetch(`${url}/api/memory/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })
  if (answer.status !== 200) throw new Error(`The import was answered with ${answer.status}: ${await answer.text()}`)
}

async function exportOf(url: string, { token }: Api): Promise<readonly Line[]> {
  const answer = await fetch(`${url}/api/memory/export?format=ndjson`, { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`The export was answered with ${answer.status}: ${text}`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

/** Pages with their statements, past ones too, playbooks, notes, pinned and forgotten ones. */
function linesFor(person: number, count: number): readonly Line[] {
  const time = (day: number) => new Date(Date.UTC(2026, 0, 1 + (day % 300))).toISOString()
  return Array.from({ length: count }, (_, index) => {
    const id = `p${person}-${index}`
    const page = `p${person}-${index - (index % 10)}`
    const common = {
      ...{
        format: 1,
        id,
        scope: { kind: 'user' },
        text: `Person ${person} keeps fact ${index}: “ünïcode”, 日本 ${index}.`,
        pinned: index % 17 === 0,
      },
      ...{
        createdAt: time(index),
        updatedAt: time(index),
        fadesAt: null,
        evidence: [{ chatId: `chat-${index % 7}`, messageId: `message-${index}` }],
      },
    }
    if (index % 10 === 0) return { ...common, kind: 'summary', title: `Subject ${index}` }
    if (index % 10 === 9) return { ...common, text: '', pinned: false, kind: 'note', forgotten: true }
    if (index % 10 === 8) return { ...common, kind: 'playbook', title: `How to do ${index}` }
    if (index % 10 === 7) return { ...common, kind: 'note' }
    const past = index % 3 === 0 ? { validTo: time(index + 20) } : {}
    return { ...common, kind: 'statement', pageId: page, validFrom: time(index), ...past }
  })
}

const byId = (lines: readonly Line[]): ReadonlyMap<unknown, Line> => new Map(lines.map((line) => [line['id'], line]))

/** Every record is still there, with its text. */
function demandIds(name: string, expected: readonly Line[], found: readonly Line[]): void {
  const known = byId(found)
  const lost = expected.filter((line) => known.get(line['id'])?.['text'] !== line['text'])
  if (lost.length > 0) throw new Error(`${lost.length} records of ${name} are missing or have other texts, as ${JSON.stringify(lost[0])}.`)
}

/** Every record is as it was, to the last member. */
function demandSame(name: string, expected: readonly Line[], found: readonly Line[]): void {
  const known = byId(found)
  for (const line of expected) {
    const now = known.get(line['id'])
    if (sorted(now) !== sorted(line)) throw new Error(`A record of ${name} has changed from\n${sorted(line)}\nto\n${sorted(now)}`)
  }
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
