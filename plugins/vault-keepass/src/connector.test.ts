import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { VaultConnector, VaultField } from '@agent-service/sdk/contracts/vault-connector'
import { expect } from 'chai'
import kdbxweb from 'kdbxweb'
import { createDiskFile, createMemoryFile } from './test-support/disk-file.js'
import { addEntry, makeDatabase } from './test-support/make-database.js'
import { connectionTo, createTestConnector, failureOf, never } from './test-support/test-connector.js'

const plain = (name: string, value: string): VaultField => ({ name, value, secret: false })
const hidden = (name: string, value: string): VaultField => ({ name, value, secret: true })

describe('the connector for KeePass', () => {
  let folder: string
  let connector: VaultConnector

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-keepass-'))
    connector = createTestConnector()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('lists pages by title, and finds texts in titles, groups and ids', async () => {
    const ids: string[] = []
    const bytes = await makeDatabase({
      change(kdbx) {
        for (const title of ['Delta', 'alpha', 'Charlie', 'bravo', 'bravo']) ids.push(addEntry(kdbx, title, {}))
        const group = kdbx.createGroup(kdbx.createGroup(kdbx.getDefaultGroup(), 'Work'), 'Mail')
        kdbx.createEntry(group).fields.set('Title', 'echo')
      },
    })
    const connection = connectionTo(createMemoryFile(bytes))
    const titles: string[] = []
    for (let cursor: string | undefined = '', first = true; first || cursor !== undefined; first = false) {
      const page = await connector.list(connection, { limit: 2, ...(first ? {} : { cursor: cursor ?? '' }) }, never)
      titles.push(...page.items.map(({ title }) => title))
      cursor = page.nextCursor
    }
    expect(titles).to.deep.equal(['alpha', 'bravo', 'bravo', 'Charlie', 'Delta', 'echo'])
    const found = async (text: string) => (await connector.list(connection, { limit: 9, text }, never)).items.map(({ title }) => title)
    expect(await found('RAV')).to.deep.equal(['bravo', 'bravo'])
    expect(await found('work/mail')).to.deep.equal(['echo'])
    expect(await found((ids[0] ?? '').toUpperCase())).to.deep.equal(['Delta'])
    for (const cursor of ['', 'x', Buffer.from('{"a":1}').toString('base64url'), Buffer.from('["a",1]').toString('base64url')])
      expect(await failureOf(connector.list(connection, { limit: 2, cursor }, never))).to.have.property('code', 'vault_cursor_invalid')
  })

  it('resolves references by id, keeps them when their value is written back, and drops the fields that are not written', async () => {
    let id = ''
    const file = path.join(folder, 'references.kdbx')
    const bytes = await makeDatabase({
      change(kdbx) {
        const target = addEntry(kdbx, 'Target', { UserName: 'ada' }, { Password: 'the value' })
        id = addEntry(kdbx, 'Alias', {
          UserName: `{REF:U@I:${target.toUpperCase()}}`,
          Notes: `a\tb {REF:P@I:${target.toUpperCase()}} {REF:P@T:Target} {REF:P@I:${'0'.repeat(32)}}`,
          PIN: '1',
        })
      },
    })
    await writeFile(file, bytes)
    const connection = connectionTo(createDiskFile(file))
    const { fields } = await connector.read(connection, id, never)
    const notes = hidden('Notes', `a\tb the value {REF:P@T:Target} {REF:P@I:${'0'.repeat(32)}}`)
    expect(fields).to.have.deep.members([plain('UserName', 'ada'), notes, plain('PIN', '1')])
    await connector.write?.(connection, { id, fields: fields.filter(({ name }) => name !== 'PIN') }, never)
    const target = (await connector.list(connection, { limit: 1, text: 'Target' }, never)).items[0]?.id ?? ''
    await connector.write?.(connection, { id: target, fields: [plain('UserName', 'ben'), hidden('Password', 'new')] }, never)
    const now = (await connector.read(connection, id, never)).fields
    expect(now.find(({ name }) => name === 'UserName')?.value).to.equal('ben')
    expect(now.find(({ name }) => name === 'Notes')?.value).to.match(/^a\tb new /)
    expect(now.map(({ name }) => name)).to.not.include('PIN')
  })

  it('writes nothing over what someone else changed', async () => {
    const file = path.join(folder, 'conflict.kdbx')
    await writeFile(file, await makeDatabase())
    const connection = connectionTo(createDiskFile(file))
    const first = await connector.write?.(connection, { title: 'Door', fields: [hidden('Password', 'one')] }, never)
    const { id = '', revision = '' } = first ?? {}
    const read = await connector.read(connection, id, never)
    expect(read.item).to.include({ id, revision })
    const second = await connector.write?.(connection, { id, revision, fields: [hidden('Password', 'two')] }, never)
    expect(second?.revision).to.not.equal(revision)
    const stale = async () => connector.write?.(connection, { id, revision, fields: [hidden('Password', 'three')] }, never)
    expect(await failureOf(stale())).to.have.property('code', 'vault_conflict')
    const other = await makeDatabase()
    const raced = connectionTo(createDiskFile(file, { beforeWrite: () => writeFile(file, other) }))
    const late = async () => connector.write?.(raced, { id, fields: [hidden('Password', 'four')] }, never)
    expect(await failureOf(late())).to.have.property('code', 'vault_conflict')
    expect(await createDiskFile(file).read(never)).to.deep.include({ bytes: other })
  })

  it('refuses what it could not give back as it was written', async () => {
    const file = path.join(folder, 'refused.kdbx')
    await writeFile(file, await makeDatabase())
    const before = await createDiskFile(file).read(never)
    for (const fields of [[plain('PIN', '\u0001')], [plain('PIN', '1'), plain('PIN', '2')], [plain('Title', 'x')]])
      expect(
        await failureOf((async () => connector.write?.(connectionTo(createDiskFile(file)), { title: 'x', fields }, never))()),
      ).to.have.property('code', 'vault_content_invalid')
    expect((await createDiskFile(file).read(never)).version).to.equal(before.version)
  })

  it('asks for the password again when it was changed, although the key is kept', async () => {
    const file = createMemoryFile(await makeDatabase())
    await connector.list(connectionTo(file), { limit: 1 }, never)
    const failure = await failureOf(connector.list(connectionTo(file, { password: 'canary-password' }), { limit: 1 }, never))
    expect(failure).to.have.property('code', 'vault_unauthorized')
    expect(JSON.stringify([failure.message, failure.stack, failure])).to.not.include('canary')
    await connector.close?.('connection-1')
    await connector.close?.('connection-1')
  })

  it('keeps attachments, versions and groups that it does not change', async () => {
    const file = path.join(folder, 'kept.kdbx')
    for (const kind of ['version 3', 'argon2d'] as const) {
      await writeFile(
        file,
        await makeDatabase({
          kind,
          async change(kdbx) {
            addEntry(kdbx, 'With file', {})
            const entry = kdbx.getDefaultGroup().entries[0]
            entry?.binaries.set('a.txt', await kdbx.createBinary(Uint8Array.of(1, 2, 3).buffer))
            entry?.customData?.set('k', { value: 'v' })
          },
        }),
      )
      await connector.write?.(connectionTo(createDiskFile(file)), { title: 'New', fields: [] }, never)
      const { bytes } = await createDiskFile(file).read(never)
      const kdbx = await kdbxweb.Kdbx.load(
        Uint8Array.from(bytes).buffer,
        new kdbxweb.Credentials(kdbxweb.ProtectedValue.fromString('open sesame')),
      )
      const [entry] = kdbx.getDefaultGroup().entries
      expect(JSON.stringify([...(entry?.binaries.keys() ?? [])])).to.equal('["a.txt"]')
      expect([...new Uint8Array((kdbx.binaries.getAll()[0]?.value ?? new ArrayBuffer(0)) as ArrayBuffer)]).to.deep.equal([1, 2, 3])
    }
  })

  it('is not usable without a file, or with neither password nor key file', async () => {
    const file = createMemoryFile(await makeDatabase())
    const { file: _, ...without } = connectionTo(file)
    for (const connection of [without, connectionTo(file, {}), connectionTo(file, { key_file: 'näh' })])
      expect(await failureOf(connector.test(connection, never))).to.have.property('code', 'vault_connection_invalid')
  })
})
