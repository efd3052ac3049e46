import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type JsonValue, ServiceError } from '@agent-service/sdk'
import type { CommandTransfer } from '@agent-service/sdk/contracts/cli-command'
import { createTestCommand, describeCliCommand } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { changeCommands } from './change-files.js'
import { getFileCommand } from './get-file.js'
import { binCommand, listFilesCommand, restoreCommand, searchFilesCommand } from './list-files.js'
import { putFileCommand } from './put-file.js'

const file = { name: 'a.txt', path: 'files/a.txt', kind: 'file', size: 1_500, modified_at: '2026-07-01T07:00:00.000Z', etag: '"1"' }
const folder = { ...file, name: 'b', path: 'files/b', kind: 'folder', size: 0, etag: null }
const binned = { id: '8236140000000-0a1b2c3d4e5f', path: 'files/a.txt', kind: 'file', size: 1_500, deleted_at: '2026-07-01T07:00:00.000Z' }
const answers: Readonly<Record<string, JsonValue>> = {
  'GET /api/files?limit=200&path=files': { items: [file], next_cursor: 'more' },
  'GET /api/files?limit=200&path=files&cursor=more': { items: [folder], next_cursor: null },
  'GET /api/files?limit=200&path=workspaces%2Fx': { items: [], next_cursor: null },
  'GET /api/files/search?limit=200&name=a&path=files': { items: [file], next_cursor: null },
  'GET /api/files/bin?limit=200': { items: [binned], next_cursor: null },
  'POST /api/files/move': { ...file, path: 'files/c.txt' },
  'POST /api/files/copy': { ...file, path: 'files/c.txt' },
  'POST /api/files/bin': binned,
  [`POST /api/files/bin/${binned.id}/restore`]: file,
}
const answer = (method: string, at: string): JsonValue => answers[`${method} ${at}`] ?? null

describeCliCommand({
  name: 'files list',
  create: () => listFilesCommand,
  examples: [
    {
      title: 'all pages of a folder',
      answer,
      check: ({ lines }) =>
        expect(lines).to.deep.equal(['NAME  SIZE  CHANGED', 'a.txt  1.5 kB  2026-07-01 07:00:00', 'b/  folder  2026-07-01 07:00:00']),
    },
    {
      title: 'a folder below “files”',
      arguments: ['b'],
      answer: (method, at) => (at === '/api/files?limit=200&path=files%2Fb' ? { items: [file], next_cursor: null } : answer(method, at)),
      check: ({ lines }) => expect(lines).to.have.length(2),
    },
    {
      title: 'that it is empty',
      arguments: ['workspaces/x'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['The folder is empty.']),
    },
  ],
})
describeCliCommand({
  name: 'files search',
  create: () => searchFilesCommand,
  examples: [
    {
      title: 'what was found, with its path',
      arguments: ['a'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['PATH  SIZE  CHANGED', 'files/a.txt  1.5 kB  2026-07-01 07:00:00']),
    },
  ],
})
describeCliCommand({
  name: 'files bin',
  create: () => binCommand,
  examples: [
    {
      title: 'what waits',
      answer,
      check: ({ lines }) => expect(lines[1]).to.equal(`${binned.id}  files/a.txt  1.5 kB  2026-07-01 07:00:00`),
    },
    {
      title: 'that it was emptied',
      options: { empty: true },
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['The bin is empty.']),
    },
  ],
})
describeCliCommand({
  name: 'files restore',
  create: () => restoreCommand,
  examples: [
    { title: 'where it is', arguments: [binned.id], answer, check: ({ lines }) => expect(lines).to.deep.equal(['“files/a.txt” is back.']) },
  ],
})
for (const [index, [name, line]] of (
  [
    ['move', '“files/a.txt” was moved to “files/c.txt”.'],
    ['copy', '“files/a.txt” was copied to “files/c.txt”.'],
    ['remove', `“files/a.txt” is in the bin, as ${binned.id}.`],
  ] as const
).entries()) {
  const command = changeCommands[index]
  if (!command) throw new Error(`There is no command for ${name}.`)
  const given = name === 'remove' ? ['a.txt'] : ['a.txt', 'files/c.txt']
  describeCliCommand({
    name: `files ${name}`,
    create: () => command,
    examples: [{ title: 'what was done', arguments: given, answer, check: ({ lines }) => expect(lines).to.deep.equal([line]) }],
  })
}

describe('files get and files put', () => {
  let place: string
  beforeEach(async () => {
    place = await mkdtemp(path.join(tmpdir(), 'agent-service-cli-files-'))
  })
  afterEach(() => rm(place, { recursive: true, force: true }))

  const bytes = async function* (...texts: readonly string[]) {
    for (const text of texts) yield new TextEncoder().encode(text)
  }
  const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'done',
      (error: { readonly code?: unknown; readonly message?: string }) => error.code ?? error.message,
    )

  it('write a file that is complete, and replace none unasked', async () => {
    const target = path.join(place, 'a.txt')
    const transfer = async (): Promise<CommandTransfer> => ({ status: 200, headers: { etag: '"1"' }, body: bytes('one', 'two') })
    const get = (options = {}) => getFileCommand.run(createTestCommand({ arguments: ['a.txt', target], options, transfer }).context)
    expect(await get()).to.deep.include({ json: { path: 'files/a.txt', target, bytes: 6, etag: '"1"' } })
    expect(await readFile(target, 'utf8')).to.equal('onetwo')
    expect(await codeOf(get())).to.equal('target_exists')
    expect(await codeOf(get({ replace: true }))).to.equal('done')
    const broken = async (): Promise<CommandTransfer> => ({
      ...(await transfer()),
      body: (async function* () {
        yield* bytes('x')
        throw new Error('cut off')
      })(),
    })
    const other = path.join(place, 'b.txt')
    expect(await codeOf(getFileCommand.run(createTestCommand({ arguments: ['files/b', other], transfer: broken }).context))).to.equal(
      'cut off',
    )
    expect(await codeOf(readFile(other))).to.equal('ENOENT')
    expect(await codeOf(readFile(`${other}.part`))).to.equal('ENOENT')
  })

  it('say which file cannot be read, before anything is sent', async () => {
    const { context } = createTestCommand({ arguments: [path.join(place, 'missing')] })
    expect(await codeOf(putFileCommand.run(context))).to.equal('source_unreadable')
  })

  it('send a small file at once, over none that is there', async () => {
    await writeFile(path.join(place, 'a.txt'), 'small')
    const sent: string[] = []
    const { context } = createTestCommand({
      arguments: [path.join(place, 'a.txt')],
      transfer(method, at, { headers, body }) {
        sent.push(`${method} ${at} ${headers?.['if-none-match']} ${new TextDecoder().decode(body)}`)
        return { status: 201, headers: {}, body: bytes() }
      },
    })
    await putFileCommand.run(context)
    expect(sent).to.deep.equal(['PUT /api/files/content?path=files%2Fa.txt * small'])
  })

  it('send a large one in pieces, smaller ones if they are too large, and again if the connection breaks', async () => {
    const size = 9 * 1024 * 1024
    const large = path.join(place, 'large')
    await writeFile(large, Buffer.alloc(size, 7))
    let offset = 0
    let failures = 0
    const lengths: number[] = []
    const fresh: { metadata?: string } = {}
    const upload = { id: '1'.repeat(32), path: 'files/large', size, last_modified: '' }
    const test = createTestCommand({
      arguments: [large],
      answer: (_, at) => (at.startsWith('/api/files/uploads?') ? { items: [], next_cursor: null } : { ...upload, offset }),
      transfer(method, at, { headers = {}, body = new Uint8Array() }) {
        if (method === 'POST') {
          fresh.metadata = headers['upload-metadata'] ?? ''
          offset = 0
          return { status: 201, headers: {}, body: bytes(JSON.stringify({ ...upload, offset })) }
        }
        expect([at, headers['upload-offset']]).to.deep.equal([`/api/files/uploads/${upload.id}`, String(offset)])
        if (body.length > 5_000_000)
          throw new ServiceError({ code: 'body_too_large', status: 413, title: 'Too large', message: 'Too large.' })
        failures += 1
        if (failures === 2) {
          offset += 10
          throw new TypeError('the connection broke')
        }
        lengths.push(body.length)
        offset += body.length
        return { status: 204, headers: { 'upload-offset': String(offset) }, body: bytes() }
      },
    })
    await putFileCommand.run(test.context)
    expect(offset).to.equal(size)
    expect(lengths.reduce((sum, each) => sum + each, 0)).to.equal(size - 10)
    expect(fresh.metadata).to.match(/^path ZmlsZXMvbGFyZ2U=,lastmodified /)
    expect(test.lines.at(-1)).to.equal('Sent 9.4 MB to “files/large”.')
  })
})
