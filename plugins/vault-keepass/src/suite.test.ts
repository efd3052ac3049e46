import { type VaultFile, vaultConflictError, vaultUnavailableError } from '@agent-service/sdk/contracts/vault-connector'
import { describeVaultConnector, type VaultBenchItem } from '@agent-service/sdk/testing'
import kdbxweb, { type Kdbx, type KdbxEntry, type KdbxGroup } from 'kdbxweb'
import { makeDatabase, testPassword } from './test-support/make-database.js'
import { connectionTo, createTestConnector } from './test-support/test-connector.js'

const items: readonly VaultBenchItem[] = [
  {
    title: 'Bank',
    group: 'Money/Private',
    fields: [
      { name: 'UserName', value: 'ada', secret: false },
      { name: 'Password', value: 'canary-bank-1', secret: true },
      { name: 'URL', value: 'https://bank.example', secret: false },
    ],
  },
  { title: 'Ärger & Söhne', fields: [{ name: 'Password', value: 'canary-π-"2"', secret: true }] },
  {
    title: 'Router',
    fields: [
      { name: 'Notes', value: 'canary notes\nof two lines', secret: true },
      { name: 'PIN', value: 'canary-0815', secret: true },
      { name: 'place', value: 'cellar', secret: false },
    ],
  },
]
const others: readonly VaultBenchItem[] = [{ title: 'Car', fields: [{ name: 'Password', value: 'canary-car', secret: true }] }]

const otherPassword = 'canary of ben'
const fill = (all: readonly VaultBenchItem[]) => (kdbx: Kdbx) => {
  for (const item of all) setItem(kdbx, kdbx.createEntry(groupCalled(kdbx, item.group)), item)
}
const files = [makeDatabase({ change: fill(items) }), makeDatabase({ change: fill(others), password: otherPassword })] as const

describe('the suite of vault connectors', function () {
  this.timeout(120_000)
  describeVaultConnector({
    name: 'keepass',
    supports: { write: true, renew: false },
    faults: ['down', 'damaged', 'huge'],
    restores: true,
    invalid: true,
    async create() {
      const [first, second] = await Promise.all(files)
      const file = createFile(first)
      const connection = connectionTo(file)
      const change = (work: (kdbx: Kdbx) => void): Promise<void> => file.change(work)
      return {
        connector: createTestConnector(),
        account: { connection, items },
        other: { connection: { ...connectionTo(createFile(second), { password: otherPassword }), id: 'other' }, items: others },
        wrong: {
          password: connectionTo(file, { password: 'wrong' }),
          'key file': connectionTo(file, { password: testPassword, key_file: 'AAAA' }),
        },
        invalid: { password: connectionTo(file, {}), 'key file': connectionTo(file, { key_file: '%' }) },
        add: (item) => change(fill([item])),
        change: (title, item) => change((kdbx) => setItem(kdbx, entryCalled(kdbx, title), item)),
        remove: (title) => change((kdbx) => kdbx.remove(entryCalled(kdbx, title))),
        async break(fault) {
          file.fault = fault
        },
        async mend() {
          file.fault = undefined
        },
        close: async () => undefined,
      }
    },
  })
})

/** A file in memory, which another program changes and breaks. */
interface BenchFile extends VaultFile {
  fault: string | undefined
  change(work: (kdbx: Kdbx) => void): Promise<void>
}

function createFile(content: Uint8Array): BenchFile {
  let [bytes, version] = [content, 1]
  const check = (): void => {
    if (file.fault === 'down') throw vaultUnavailableError.create({ vault: 'The file', reason: 'it is not there' })
  }
  const file: BenchFile = {
    fault: undefined,
    async read() {
      check()
      if (file.fault === 'huge') return { bytes: await costlyDatabase(), version: 'huge' }
      return { bytes: file.fault === 'damaged' ? bytes.slice(0, bytes.length - 40) : Uint8Array.from(bytes), version: String(version) }
    },
    async write(next, options) {
      check()
      if (options.version !== String(version)) throw vaultConflictError.create({ what: 'The file' })
      version += 1
      bytes = next
      return { version: String(version) }
    },
    async change(work) {
      const credentials = new kdbxweb.Credentials(kdbxweb.ProtectedValue.fromString(testPassword))
      const kdbx = await kdbxweb.Kdbx.load(Uint8Array.from(bytes).buffer, credentials)
      work(kdbx)
      bytes = new Uint8Array(await kdbx.save())
      version += 1
    },
  }
  return file
}

/** One whose key would take more memory than a user's file may. */
const costlyDatabase = (): Promise<Uint8Array> => makeDatabase({ memoryBytes: 2 ** 40 })

function setItem(kdbx: Kdbx, entry: KdbxEntry, { title, fields }: VaultBenchItem): void {
  entry.pushHistory()
  entry.fields = new Map(['UserName', 'Password', 'URL', 'Notes'].map((name) => [name, '']))
  entry.fields.set('Title', title)
  for (const { name, value, secret } of fields) entry.fields.set(name, secret ? kdbxweb.ProtectedValue.fromString(value) : value)
  entry.times.update()
  kdbx.meta.historyMaxItems = 10
}

function groupCalled(kdbx: Kdbx, path = ''): KdbxGroup {
  let group = kdbx.getDefaultGroup()
  for (const name of path.split('/').filter((each) => each !== ''))
    group = group.groups.find((each) => each.name === name) ?? kdbx.createGroup(group, name)
  return group
}

function entryCalled(kdbx: Kdbx, title: string): KdbxEntry {
  for (const entry of kdbx.getDefaultGroup().allEntries()) if (entry.fields.get('Title') === title) return entry
  throw new Error(`There is no ${title}.`)
}
