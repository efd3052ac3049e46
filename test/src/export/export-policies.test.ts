import { contributionsToken } from '@agent-service/kernel/testing/tokens'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { confirm } from '../support/api.js'
import { readZip } from './support/read-zip.js'

/** Parts of which no operation shows anything to their person, and why. */
const shownByNone: Readonly<Record<string, string>> = {
  'kernel-audit': 'exports nothing: the log is the operator’s',
  'kernel-events': 'exports nothing: events repeat other parts',
  'kernel-event-subscriptions': 'exports nothing: events on their way',
}

const fileRoutes = ['getFileContent', 'listFiles', 'searchFiles']

/** What shows the folders of files. */
const folders: Readonly<Record<string, readonly string[]>> = {
  files: fileRoutes,
  workspaces: fileRoutes,
  skills: ['listSkills', 'getSkill', 'checkSkill', 'getSkillFile'],
}

/** The operations below `/api`, but for `/api/admin`, that show a person nothing of what is exported. */
const showingNothing: ReadonlySet<string> = new Set([
  // The service, not a person.
  'getApiDescription',
  'getAuthConfiguration',
  'getVersion',
  'getSandbox',
  'getSearchState',
  'getMemoryStatus',
  'getNextTimes',
  'listModels',
  'listTools',
  'listChannels',
  'listVaultConnectors',
  'listCatalogueBrands',
  'listCatalogueModels',
  'listEventTypes',
  'getAttachmentLimits',
  'getChannelRetrySettings',
  'listConsolePanels',
  'getConsoleDiagramFrame',
  'getConsolePageFrame',
  'getConsolePanelFrame',
  // Of a moment, and not exported.
  'streamEvents',
  'getBrowserScreenshot',
  'getProcessOutput',
  'streamProcessOutput',
  'connectTerminal',
  'listVaultItems',
  'listUploads',
  'getUpload',
  'listBin',
  // Sums of files.
  'getFileChecksum',
  'getFileUsage',
  // Of others than the person of the account: vendors, mail programs, browsers on their way back.
  'getChannelWebhook',
  'getChannelWebhookPart',
  'showUnsubscribe',
  'returnFromCredentialSignIn',
])

interface Part {
  readonly id: string
  readonly complete: boolean
  readonly problems: readonly { readonly code: string; readonly message: string }[]
}

interface Manifest {
  readonly account: Omit<Part, 'id'> & { readonly username?: string }
  readonly parts: readonly Part[]
  readonly files: readonly Part[]
}

/** The operations of each part that runs. */
function partsOf({ kernel }: AgentsKernel): ReadonlyMap<string, readonly string[]> {
  const contributions = kernel.container.resolve(contributionsToken)
  return new Map(contributions.list(userData).map(({ key, value }) => [key, value.shownBy ?? []]))
}

describe('an export under policies', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let admin: Person
  let ada: Person
  let named: ReadonlyMap<string, readonly string[]>
  let reads: readonly { readonly operation: string; readonly path: string }[]

  before(async () => {
    agents = await startAgentsKernel()
    admin = await agents.person('root')
    ada = await agents.person('ada')
    named = partsOf(agents)
    const { paths } = (await ada.request('GET', '/api/openapi.json')).body as {
      readonly paths: Readonly<Record<string, { readonly get?: { readonly operationId: string } }>>
    }
    reads = Object.entries(paths).flatMap(([path, { get }]) => (get ? [{ operation: get.operationId, path }] : []))
  })
  after(() => agents?.close())
  beforeEach(async () => {
    for (const person of [admin, ada]) await confirm(person)
  })

  const archiveOf = async (person: Person) => {
    const headers = { authorization: `Bearer ${person.token}` }
    const response = await fetch(`${person.url}/api/users/me/export`, { method: 'POST', headers })
    expect(response.status).to.equal(200)
    const files = readZip(Buffer.from(await response.arrayBuffer()))
    return { files, manifest: JSON.parse(String(files.get('manifest.json'))) as Manifest }
  }
  const without = async (operation: string) => {
    const text = `forbid (principal == User::"${ada.userId}", action == Action::"call", resource == Route::"${operation}");`
    const made = await admin.request('POST', '/api/admin/policies', { text })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    try {
      return await archiveOf(ada)
    } finally {
      await admin.request('DELETE', `/api/admin/policies/${String(made.body['id'])}`)
    }
  }
  const forbidden = (operation: string) => ({
    code: 'forbidden',
    message: `This account may not do this: the policies of this service do not permit “${operation}”.`,
  })

  const silentOf = (parts: ReadonlyMap<string, readonly string[]>): readonly string[] =>
    [...parts].filter(([id, operations]) => operations.length === 0 && shownByNone[id] === undefined).map(([id]) => id)

  it('knows for each built-in part what shows it', () => {
    expect(silentOf(named)).to.deep.equal([])
    expect([...named.keys()]).to.include.members(['agents', 'channels', 'credentials', 'mail', 'browser', 'kernel-sessions', 'sandbox'])
  })

  it('knows for the other memory what shows it', async () => {
    const other = await startAgentsKernel({ environment: { SERVICE_MEMORY_BACKEND: 'pkm' } })
    try {
      const parts = partsOf(other)
      expect(silentOf(parts)).to.deep.equal([])
      expect(named.get('memory-basic')).to.include.members(['listMemories', 'getMemory', 'exportMemories'])
      expect(parts.get('memory-pkm')).to.include.members(named.get('memory-basic') ?? [])
    } finally {
      await other.close()
    }
  })

  it('knows for each operation that reads what it shows', () => {
    const known = new Set([...named.values(), ...Object.values(folders)].flat())
    const own = reads.filter(({ path }) => path.startsWith('/api/') && !path.startsWith('/api/admin/')).map(({ operation }) => operation)
    expect(own.filter((operation) => !known.has(operation) && !showingNothing.has(operation))).to.deep.equal([])
    expect([...known].filter((operation) => !own.includes(operation))).to.deep.equal([])
    expect([...known].filter((operation) => showingNothing.has(operation))).to.deep.equal([])
  })

  it('leaves a part out for each operation that shows it', async () => {
    const shown = [...new Set([...named.values(), ...Object.values(folders)].flat())]
    expect(shown.length).to.be.greaterThan(60)
    for (const operation of shown) {
      const { files, manifest } = await without(operation)
      for (const [id, operations] of named) {
        if (!operations.includes(operation)) continue
        const part = manifest.parts.find((each) => each.id === id)
        expect(part?.problems, `${id} without ${operation}`).to.deep.equal([forbidden(operation)])
        expect([...files.keys()].filter((name) => name.startsWith(`data/${id}/`))).to.deep.equal([])
      }
      for (const { id, problems } of manifest.files) {
        const expected = folders[id]?.includes(operation) ? [forbidden(operation)] : []
        expect(problems, `files/${id} without ${operation}`).to.deep.equal(expected)
        if (expected.length > 0) expect([...files.keys()].filter((name) => name.startsWith(`files/${id}/`))).to.deep.equal([])
      }
    }
  })

  it('leaves the profile out, and the name of the account with it', async () => {
    const { files, manifest } = await without('getOwnProfile')
    expect(files.has('account.json')).to.equal(false)
    expect(manifest.account).to.deep.equal({ id: ada.userId, complete: false, problems: [forbidden('getOwnProfile')] })
    expect(files.has('INCOMPLETE.txt')).to.equal(true)
    const whole = await archiveOf(ada)
    expect(whole.files.has('account.json')).to.equal(true)
    expect(whole.manifest.account).to.include({ username: 'ada', complete: true })
  })

  it('has no title, order or name of a token where one operation that shows them is forbidden', async () => {
    const chat = await ada.newChat()
    await ada.request('PATCH', `/api/chats/${chat}`, { title: 'A title nobody may read' })
    await ada.request('POST', '/api/tasks', { instruction: 'An order nobody may read', schedule: { cron: '0 9 * * MON-FRI' } })
    await ada.request('POST', '/api/auth/tokens', { name: 'A token nobody may read' })
    const all = (files: ReadonlyMap<string, Buffer>): string => [...files.values()].map((file) => file.toString('latin1')).join('\n')
    const whole = all((await archiveOf(ada)).files)
    for (const [words, operations] of [
      ['A title nobody may read', ['getChat', 'exportChat', 'getRun', 'listRunCalls', 'listAgentVersions']],
      ['An order nobody may read', ['getTask', 'getTaskTree', 'listTaskExecutions']],
      ['A token nobody may read', ['listTokens', 'listSessions', 'getOwnProfile']],
    ] as const) {
      expect(whole).to.include(words)
      for (const operation of operations) expect(all((await without(operation)).files), operation).to.not.include(words)
    }
  })
})
