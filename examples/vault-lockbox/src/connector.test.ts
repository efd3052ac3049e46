import assert from 'node:assert/strict'
import {
  type VaultConnection,
  type VaultFile,
  vaultConflictError,
  vaultConnectors,
  vaultUnavailableError,
} from '@agent-service/sdk/contracts/vault-connector'
import {
  createTestContext,
  describeVaultConnector,
  type VaultBench,
  type VaultBenchItem,
  type VaultFault,
} from '@agent-service/sdk/testing'
import { createLockboxConnector } from './connector.js'
import plugin from './index.js'
import { type Lockbox, openLockbox, sealLockbox } from './lockbox.js'

/** Cheap, since the suite opens hundreds. */
const cost = 16
const passphrase = 'lockbox of ada, 1815'
const otherPassphrase = 'lockbox of eve, 2001'

// Every rule of the contract.
describeVaultConnector({
  name: 'lockbox',
  create: createBench,
  supports: { write: true, renew: false },
  // What a file can suffer. The others are those of servers.
  faults: ['down', 'damaged', 'huge'],
  invalid: true,
})

const item = (title: string, group?: string): VaultBenchItem => ({
  title,
  ...(group !== undefined && { group }),
  fields: [
    { name: 'user', value: `user of ${title}`, secret: false },
    { name: 'password', value: `secret of ${title}`, secret: true },
  ],
})

/** Two files, the first of which the suite changes as another program would, and breaks. */
async function createBench(): Promise<VaultBench> {
  const items = [item('Printer', 'Office'), item('Router'), item('Größe π', 'Servers')]
  const others = [item('Alarm', 'Home')]
  const file = createFile(await sealLockbox(lockboxWith(items), { passphrase, cost }))
  const otherFile = createFile(await sealLockbox(lockboxWith(others), { passphrase: otherPassphrase, cost }))
  const change = async (work: (before: Lockbox) => Lockbox): Promise<void> =>
    file.replace(await sealLockbox(work(await openLockbox(file.bytes(), { passphrase, cost })), { passphrase, cost }))
  const connection = (id: string, of: VaultFile, word: string): VaultConnection => ({
    id,
    origin: 'user',
    file: of,
    members: { path: `${id}.lockbox`, passphrase: word },
  })
  return {
    connector: createLockboxConnector({ cost }),
    account: { connection: connection('one', file, passphrase), items },
    other: { connection: connection('two', otherFile, otherPassphrase), items: others },
    wrong: { 'another passphrase': connection('wrong', file, 'another passphrase') },
    invalid: {
      'a passphrase that is too short': connection('short', file, 'tooshort'),
      'no file': { id: 'none', origin: 'user', members: { path: 'none.lockbox', passphrase } },
    },
    add: (each) => change((before) => lockboxWith([each], before)),
    change: (title, { title: name, group, fields }) =>
      change(({ items: all, ...rest }) => ({
        ...rest,
        items: all.map((each) =>
          each.title === title
            ? { id: each.id, title: name, ...(group !== undefined && { group }), revision: each.revision + 1, fields: [...fields] }
            : each,
        ),
      })),
    remove: (title) => change(({ items: all, ...rest }) => ({ ...rest, items: all.filter((each) => each.title !== title) })),
    break: async (fault) => file.suffer(fault),
    mend: async () => file.suffer(undefined),
    close: async () => undefined,
  }
}

/** A lockbox with more items at its end. */
const lockboxWith = (more: readonly VaultBenchItem[], { lastId, items }: Lockbox = { lastId: 0, items: [] }): Lockbox => ({
  lastId: lastId + more.length,
  items: [...items, ...more.map(({ fields, ...each }, index) => ({ id: lastId + 1 + index, ...each, revision: 1, fields: [...fields] }))],
})

/** A file in memory, as the service gives it to a connector. */
function createFile(content: Uint8Array) {
  let bytes = content
  let version = 1
  let fault: VaultFault | undefined
  const replace = (next: Uint8Array): void => {
    bytes = next
    version += 1
  }
  const check = (): void => {
    if (fault === 'down') throw vaultUnavailableError.create({ vault: 'The file', reason: 'it is missing' })
  }
  return {
    async read() {
      check()
      const seen = fault === 'damaged' ? damaged(bytes) : fault === 'huge' ? new Uint8Array(8_000_000) : bytes
      return { bytes: seen, version: String(version) }
    },
    async write(next: Uint8Array, options: { readonly version: string }) {
      check()
      if (options.version !== String(version)) throw vaultConflictError.create({ what: 'The file' })
      replace(next)
      return { version: String(version) }
    },
    replace,
    bytes: () => bytes,
    suffer(next: VaultFault | undefined): void {
      fault = next
    },
  }
}

/** The first byte of the encrypted data, changed. */
function damaged(bytes: Uint8Array): Uint8Array {
  const sealed = JSON.parse(new TextDecoder().decode(bytes)) as { readonly data: string }
  const data = Buffer.from(sealed.data, 'base64').map((byte, index) => (index === 0 ? byte ^ 1 : byte))
  return Buffer.from(JSON.stringify({ ...sealed, data: Buffer.from(data).toString('base64') }))
}

describe('the file of a lockbox', () => {
  const sealed = () => sealLockbox(lockboxWith([item('Printer', 'Office')]), { passphrase, cost })

  it('has neither titles nor values in it, and is never the same twice', async () => {
    const [one, other] = [Buffer.from(await sealed()).toString(), Buffer.from(await sealed()).toString()]
    const data = Buffer.from((JSON.parse(one) as { readonly data: string }).data, 'base64').toString('latin1')
    for (const text of ['Printer', 'Office', 'user of', 'secret of']) assert.ok(!one.includes(text) && !data.includes(text), text)
    assert.notEqual(one, other)
  })

  it('is not replaced by one that could not be opened again', async () => {
    const { connector, account, close } = await createBench()
    const { connection } = account
    const { signal } = new AbortController()
    const fields = (value: string) => [{ name: 'password', value, secret: true }]
    const writes = {
      'a long title': { title: 'x'.repeat(301), fields: fields('x') },
      'a huge value': { fields: fields('x'.repeat(1_048_576)) },
    }
    for (const [what, write] of Object.entries(writes))
      await assert.rejects(async () => connector.write?.(connection, write, { signal }), { code: 'vault_content_invalid' }, what)
    assert.equal((await connector.list(connection, { limit: 10 }, { signal })).items.length, account.items.length)
    await close()
  })

  it('is refused with a reason if it is something else', async () => {
    const texts = ['', 'null', '[]', '{"lockbox":2}', '{"lockbox":1,"salt":"","check":"","nonce":"","tag":"","data":""}']
    for (const text of texts)
      await assert.rejects(openLockbox(Buffer.from(text), { passphrase, cost }), { code: 'vault_content_invalid' }, text)
  })
})

it('is set up', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  assert.deepEqual(
    test.contributed(vaultConnectors).map(({ id }) => id),
    ['lockbox'],
  )
  await test.dispose()
})
