import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { JsonValue } from '@agent-service/sdk'
import { createTestCommand, describeCliCommand } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { addCommand, forgetCommand } from './change-memories.js'
import { migrateCommand, waits } from './migrate-memories.js'
import { listCommand, searchCommand, statusCommand } from './read-memories.js'
import { exportCommand, importCommand } from './transfer-memories.js'

waits.pollMs = 1
const memory = {
  ...{ id: 'm1', scope: { kind: 'user' }, kind: 'note', title: null, text: 'Takes the train.', pinned: true },
  updated_at: '2026-07-01T07:00:00.000Z',
}
const page = (...items: readonly JsonValue[]): JsonValue => ({ items, next_cursor: null })
const status = { backend: 'basic', title: 'Plain memory', available: true, moving: false, last_sweep: null }
const sweep = { started_at: '2026-07-01T07:00:00.000Z', finished_at: null, failed: true }
const migration = (state: string, more: object = {}) => ({
  migration: { from: 'basic', to: 'pkm', state, users: 3, failed: 0, records: 7, error: null, ...more },
})
const answers: Readonly<Record<string, JsonValue>> = {
  'GET /api/agents?limit=200': page({ id: 'a1', handle: 'assistant' }),
  'GET /api/memory?limit=200': { items: [memory], next_cursor: 'more' },
  'GET /api/memory?limit=200&cursor=more': page({ ...memory, id: 'm2', pinned: false, title: 'Ada', scope: { kind: 'agent' } }),
  'GET /api/memory?limit=200&agent_id=a1&kind=note': page(),
  'GET /api/memory?q=train&limit=100': page(memory),
  'POST /api/memory': memory,
  'GET /api/memory/status': status,
}
const answer = (method: string, at: string): JsonValue => answers[`${method} ${at}`] ?? null

describeCliCommand({
  name: 'memory list',
  create: () => listCommand,
  examples: [
    {
      title: 'all pages',
      answer,
      check: ({ lines }) =>
        expect(lines).to.deep.equal([
          'ID  CHANGED  KIND  IN  TEXT',
          'm1  2026-07-01 07:00  note  user  * Takes the train.',
          'm2  2026-07-01 07:00  note  agent  Ada: Takes the train.',
        ]),
    },
    {
      title: 'those of an agent and of a kind',
      options: { agent: 'assistant', kind: 'note' },
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['Nothing is remembered.']),
    },
    {
      title: 'at most 2,000, and says that there are more',
      answer: () => ({ items: Array.from({ length: 200 }, () => memory), next_cursor: 'more' }),
      check({ lines, warnings }) {
        expect(lines).to.have.length(2_001)
        expect(warnings).to.deep.equal(['These are the first 2000; “memory export” has all.'])
      },
    },
    {
      title: 'that there is no such agent',
      options: { agent: 'clerk' },
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings).to.deep.equal(['You have no agent “clerk”.']),
    },
  ],
})
describeCliCommand({
  name: 'memory search',
  create: () => searchCommand,
  examples: [
    { title: 'what fits', arguments: ['train'], answer, check: ({ lines }) => expect(lines[1]).to.contain('Takes the train.') },
    {
      title: 'that there may be more',
      arguments: ['tea'],
      answer: () => page(...Array.from({ length: 100 }, (_, index) => ({ ...memory, id: `m${index}` }))),
      check: ({ warnings }) => expect(warnings).to.deep.equal(['These are the best 100; there may be more. Use more words.']),
    },
    { title: 'nothing', arguments: ['boat'], answer, check: ({ lines }) => expect(lines).to.deep.equal(['Nothing fits.']) },
  ],
})
describeCliCommand({
  name: 'memory add',
  create: () => addCommand,
  examples: [
    {
      title: 'for one agent, pinned',
      arguments: ['Takes the train.'],
      options: { agent: 'assistant', pin: true },
      answer(method, at, body) {
        if (method === 'POST')
          expect(body).to.deep.equal({ text: 'Takes the train.', scope: { kind: 'agent', agent_id: 'a1' }, pinned: true })
        return answer(method, at)
      },
      check: ({ lines }) => expect(lines).to.deep.equal(['Remembered as m1.']),
    },
    { title: 'that there is no such agent', arguments: ['x'], options: { agent: 'clerk' }, answer, status: 1 },
  ],
})
describeCliCommand({
  name: 'memory forget',
  create: () => forgetCommand,
  examples: [
    {
      title: 'one',
      arguments: ['a/b'],
      answer(method, at) {
        expect(`${method} ${at}`).to.equal('DELETE /api/memory/a%2Fb')
        return null
      },
      check: ({ lines }) => expect(lines).to.deep.equal(['Forgotten.']),
    },
  ],
})
describeCliCommand({
  name: 'memory status',
  create: () => statusCommand,
  examples: [
    { title: 'the back end', answer, check: ({ lines }) => expect(lines).to.deep.equal(['Plain memory (basic) is in use.']) },
    {
      title: 'work that failed while memories move',
      answer: () => ({ ...status, moving: true, last_sweep: sweep }),
      check: ({ lines }) => expect(lines[2]).to.contain('2026-07-01 07:00 UTC, and failed'),
    },
    {
      title: 'one that does not run',
      answer: () => ({ ...status, available: false, title: null }),
      status: 1,
      check: ({ warnings }) => expect(warnings[0]).to.contain('does not run'),
    },
  ],
})

describe('the transfer of memories', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cli-memory-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  async function* bytes(text: string) {
    yield new TextEncoder().encode(text)
  }

  it('writes a file whole, and never over another one', async () => {
    const file = path.join(folder, 'memories.ndjson')
    const asked: string[] = []
    const command = createTestCommand({
      ...{ arguments: [file], options: { records: true } },
      transfer: (_, at) => {
        asked.push(at)
        return { status: 200, headers: {}, body: bytes('{}\n') }
      },
    })
    expect(await exportCommand.run(command.context)).to.have.property('status', 0)
    expect(asked).to.deep.equal(['/api/memory/export?format=ndjson'])
    expect(await readFile(file, 'utf8')).to.equal('{}\n')
    const again: unknown = await exportCommand.run(command.context).catch((error: unknown) => error)
    expect(again).to.have.property('message').that.contains('exists already')
  })

  it('leaves nothing of an export that breaks off', async () => {
    const file = path.join(folder, 'memories.md')
    async function* broken() {
      yield new Uint8Array([65])
      throw new Error('cut')
    }
    const command = createTestCommand({ arguments: [file], transfer: () => ({ status: 200, headers: {}, body: broken() }) })
    expect(await exportCommand.run(command.context).catch((error: unknown) => error)).to.have.property('message', 'cut')
    expect(await readFile(file).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ENOENT')
  })

  it('writes to standard output without a file', async () => {
    const command = createTestCommand({ transfer: () => ({ status: 200, headers: {}, body: bytes('# What is remembered\n') }) })
    await exportCommand.run(command.context)
    expect(command.output()).to.equal('# What is remembered\n')
  })

  it('sends a file', async () => {
    const file = path.join(folder, 'memories.ndjson')
    await writeFile(file, '{}\n')
    const command = createTestCommand({
      arguments: [file],
      transfer(method, at, { body }) {
        expect([method, at, new TextDecoder().decode(body)]).to.deep.equal(['POST', '/api/memory/import', '{}\n'])
        return { status: 200, headers: {}, body: bytes('{"records":1}') }
      },
    })
    await importCommand.run(command.context)
    expect(command.lines).to.deep.equal(['Took in 1 records.'])
    const absent = createTestCommand({ arguments: [path.join(folder, 'absent')] })
    expect(await importCommand.run(absent.context).catch((error: unknown) => error))
      .to.have.property('message')
      .that.contains('does not exist')
  })
})

describe('the migration in the terminal', () => {
  async function* nothing(): AsyncGenerator<Uint8Array> {
    yield* []
  }
  /** A service whose migration goes through these states, one at each question. */
  const service = (states: readonly JsonValue[], options: Readonly<Record<string, string | boolean>> = { to: 'pkm' }) => {
    const calls: string[] = []
    const left = [...states]
    const command = createTestCommand({
      options,
      answer(method, at) {
        if (method !== 'GET') calls.push(`${method} ${at}`)
        return method === 'GET' ? (left.shift() ?? null) : null
      },
      transfer(method, at, { headers = {}, body }) {
        calls.push(`${method} ${at} ${headers['if-match'] ?? ''} ${body === undefined ? '' : new TextDecoder().decode(body)}`.trim())
        return { status: 200, headers: { etag: '"r1"' }, body: nothing() }
      },
    })
    return { command, calls }
  }

  it('copies, saves the setting, restarts and waits for the end', async () => {
    const { command, calls } = service([
      { migration: null },
      ...['copying', 'copying', 'ready', 'ready', 'finishing', 'done'].map((state) => migration(state)),
    ])
    expect(await migrateCommand.run(command.context)).to.have.property('status', 0)
    expect(calls).to.deep.equal([
      'POST /api/admin/memory/migration',
      'GET /api/admin/config',
      'PATCH /api/admin/config "r1" {"set":{"memory.backend":"pkm"}}',
      'POST /api/admin/restart',
    ])
    expect(command.lines.at(-1)).to.equal('“pkm” is in use. Users moved: 3.')
    expect(command.lines.filter((line) => line.startsWith('copying'))).to.have.length(1)
  })

  it('goes on with one that was begun, and only copies if that is wanted', async () => {
    const { command, calls } = service([migration('copying'), migration('copying'), migration('ready')], { to: 'pkm', 'copy-only': true })
    expect(await migrateCommand.run(command.context)).to.have.property('status', 0)
    expect(calls).to.deep.equal([])
  })

  it('does not wait for ever for a setting that takes no effect, nor for users who cannot be copied', async () => {
    const longest = waits.maxRestartMs
    waits.maxRestartMs = 3
    try {
      const one = service([{ migration: null }, migration('copying'), ...Array.from({ length: 50 }, () => migration('ready'))])
      expect(await migrateCommand.run(one.command.context)).to.have.property('status', 1)
      expect(one.command.warnings[0]).to.contain('“pkm” is not in use after').and.contain('environment variable')
    } finally {
      waits.maxRestartMs = longest
    }
    const states = [migration('finishing'), migration('finishing'), migration('finishing', { failed: 1, error: 'One user differs.' })]
    const two = service(states)
    expect(await migrateCommand.run(two.command.context)).to.have.property('status', 1)
    expect(two.command.warnings).to.deep.equal(['One user differs.'])
  })

  it('says why it failed, gives up, and asks for the other back end', async () => {
    const one = service([{ migration: null }, migration('failed', { error: 'Copies differ.' })])
    expect(await migrateCommand.run(one.command.context)).to.have.property('status', 1)
    expect(one.command.warnings).to.deep.equal(['Copies differ.'])
    const two = service([], { 'give-up': true })
    await migrateCommand.run(two.command.context)
    expect(two.calls).to.deep.equal(['DELETE /api/admin/memory/migration'])
    const three = service([], {})
    expect(await migrateCommand.run(three.command.context)).to.have.property('status', 1)
  })
})
