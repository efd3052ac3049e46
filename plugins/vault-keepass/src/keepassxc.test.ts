import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { VaultConnection, VaultConnector, VaultField } from '@agent-service/sdk/contracts/vault-connector'
import { expect } from 'chai'
import { createDiskFile } from './test-support/disk-file.js'
import { keepassxc } from './test-support/keepassxc.js'
import { makeDatabase, testPassword } from './test-support/make-database.js'
import { connectionTo, createTestConnector, failureOf, never } from './test-support/test-connector.js'

const secret = 'π-pass <&> "1"'

describe('a KeePass database beside KeePassXC', () => {
  let folder: string
  let connector: VaultConnector

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-keepass-'))
    connector = createTestConnector()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const open = (file: string, members?: Readonly<Record<string, string>>): VaultConnection => connectionTo(createDiskFile(file), members)
  const itemCalled = async (connection: VaultConnection, title: string) =>
    (await connector.list(connection, { limit: 200 }, never)).items.find((item) => item.title === title)
  const fieldsOf = async (connection: VaultConnection, title: string): Promise<readonly VaultField[]> =>
    (await connector.read(connection, (await itemCalled(connection, title))?.id ?? '', never)).fields

  it('reads what KeePassXC wrote: groups, fields, attributes, unusual characters', async () => {
    const file = path.join(folder, 'theirs.kdbx')
    await keepassxc(['db-create', '-q', '-p', '-t', '100', file], `${testPassword}\n${testPassword}\n`)
    await keepassxc(['mkdir', '-q', file, 'Bank'], `${testPassword}\n`)
    const entry = ['add', '-q', '-u', 'ada', '--url', 'https://bank.example', '--notes', 'one', '-p', file, 'Bank/Account']
    await keepassxc(entry, `${testPassword}\n${secret}\n`)
    const connection = open(file)
    const item = await itemCalled(connection, 'Account')
    expect(item).to.include({ title: 'Account', group: 'Bank' })
    expect(item?.fields).to.have.members(['UserName', 'Password', 'URL', 'Notes'])
    expect(item?.changedAt).to.be.closeTo(Date.now(), 10 * 60_000)
    expect(await fieldsOf(connection, 'Account')).to.have.deep.members([
      { name: 'UserName', value: 'ada', secret: false },
      { name: 'Password', value: secret, secret: true },
      { name: 'URL', value: 'https://bank.example', secret: false },
      { name: 'Notes', value: 'one', secret: false },
    ])
  })

  for (const kind of ['version 3', 'aes', 'argon2d', 'argon2id'] as const)
    it(`writes what KeePassXC reads and writes on: ${kind}`, async () => {
      const file = path.join(folder, `${kind}.kdbx`)
      await writeFile(file, await makeDatabase({ kind }))
      const connection = open(file)
      const { id } =
        (await connector.write?.(connection, { title: 'Printer', fields: [field('Password', secret), field('PIN', '007')] }, never)) ?? {}
      expect(await shown(file, 'Printer', 'Password')).to.equal(secret)
      expect(await shown(file, 'Printer', 'PIN')).to.equal('007')
      await keepassxc(['edit', '-q', '-u', 'ben', file, 'Printer'], `${testPassword}\n`)
      const read = await connector.read(connection, id ?? '', never)
      expect(read.fields).to.have.deep.members([
        { name: 'UserName', value: 'ben', secret: false },
        { name: 'Password', value: secret, secret: true },
        { name: 'PIN', value: '007', secret: true },
      ])
    })

  it('keeps the former values of an entry in its history', async () => {
    const file = path.join(folder, 'history.kdbx')
    await writeFile(file, await makeDatabase())
    const connection = open(file)
    const made = await connector.write?.(connection, { title: 'Router', fields: [field('Password', 'first one')] }, never)
    await connector.write?.(connection, { id: made?.id ?? '', fields: [field('Password', 'second one')] }, never)
    const xml = await keepassxc(['export', '-q', file], `${testPassword}\n`)
    expect(/<History>.*first one.*<\/History>/s.test(xml)).to.equal(true)
    expect(await shown(file, 'Router', 'Password')).to.equal('second one')
  })

  it('opens a database with a key file beside the password, and with a key file alone', async () => {
    const key = path.join(folder, 'key')
    await writeFile(key, randomBytes(100))
    const members = { key_file: (await readFile(key)).toString('base64') }
    const both = path.join(folder, 'both.kdbx')
    await keepassxc(['db-create', '-q', '-p', '-t', '100', '--set-key-file', key, both], `${testPassword}\n${testPassword}\n`)
    expect(await connector.test(open(both, { ...members, password: testPassword }), never)).to.have.property('account')
    for (const wrong of [{ password: testPassword }, { ...members, password: 'other' }])
      expect(await failureOf(connector.test(open(both, wrong), never))).to.have.property('code', 'vault_unauthorized')
    const alone = path.join(folder, 'alone.kdbx')
    await keepassxc(['db-create', '-q', '-t', '100', '--set-key-file', key, alone])
    expect(await connector.test(open(alone, members), never)).to.have.property('account')
  })

  it('does not list what KeePassXC moved to its recycle bin, and reports it as deleted', async () => {
    const file = path.join(folder, 'bin.kdbx')
    await writeFile(file, await makeDatabase())
    const connection = open(file)
    const { id = '' } = (await connector.write?.(connection, { title: 'Gone', fields: [] }, never)) ?? {}
    await keepassxc(['rm', '-q', file, 'Gone'], `${testPassword}\n`)
    expect(await itemCalled(connection, 'Gone')).to.equal(undefined)
    for (const call of [() => connector.read(connection, id, never), async () => connector.write?.(connection, { id, fields: [] }, never)])
      expect(await failureOf(call())).to.deep.include({ code: 'vault_item_not_found', details: { id, deleted: true } })
    await keepassxc(['rm', '-q', file, 'Recycle Bin/Gone'], `${testPassword}\n`)
    expect(await failureOf(connector.read(connection, id, never))).to.deep.include({ details: { id, deleted: false } })
  })
})

const field = (name: string, value: string): VaultField => ({ name, value, secret: true })

const shown = async (file: string, entry: string, attribute: string): Promise<string> =>
  (await keepassxc(['show', '-q', '-s', '-a', attribute, file, entry], `${testPassword}\n`)).trimEnd()
