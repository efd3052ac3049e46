import { mkdtemp, readdir, readFile, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { basicVariables } from '@agent-service/sdk/process'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { docxOf } from '../files/support/documents.js'
import { startWorkingService, type WorkingService } from '../sandbox/support/working-service.js'
import type { Turn } from '../sandbox/support/working-upstream.js'
import { createSecretSearch } from '../security/support/secret-search.js'
import { removeFolder } from '../support/service-process.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Every variable of the service that holds a secret, or might. */
const variables: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['SERVICE_AUTH_ENCRYPTION_SECRET', 'UPSTREAM_KEY', 'GROQ_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'TAVILY_API_KEY'],
    ...['SERVICE_MAIL_PASSWORD', 'SERVICE_SSO_CLIENT_SECRET', 'SERVICE_BROWSER_API_TOKEN', 'SERVICE_VAULT_VAULTTHREE_TOKEN'],
    ...['OTEL_EXPORTER_OTLP_HEADERS', 'SERVICE_VOICE_TELEPHONY_AUTH_TOKEN', 'GITHUB_TOKEN', 'NPM_TOKEN', 'DATABASE_PASSWORD', 'JWT_SECRET'],
  ].map((name) => [name, `canary-${name.toLowerCase().replaceAll('_', '-')}-4711`]),
)

interface StartedChild {
  readonly kind: string
  readonly program: string
  readonly words: readonly string[]
  readonly environment: readonly string[]
  readonly stdio: readonly string[]
}

const shell = (command: string): Turn => ({ tool: 'shell', arguments: { command, timeout_seconds: 60 } })
const everyProcess = `for each in /proc/self /proc/[0-9]*; do echo $each; tr '\\0' '\\n' < $each/environ; tr '\\0' ' ' < $each/cmdline; ls -l $each/fd; done 2>&1; env`
const inPython = `python3 -c "import os, glob; print(dict(os.environ)); [print(open(f, 'rb').read()) for f in glob.glob('/proc/[0-9]*/environ') if os.access(f, os.R_OK)]" 2>&1`
const inNode = `node -e "console.log(process.env, process.argv, process.execArgv)" 2>&1`

/** An obedient agent looks for what its processes were given. */
function look(results: readonly string[]): Turn {
  const steps: readonly Turn[] = [
    shell(everyProcess),
    shell(inPython),
    shell(inNode),
    { tool: 'read_file', arguments: { path: 'minutes.docx' } },
    { tool: 'search_files', arguments: { query: 'canary' } },
  ]
  return steps[results.length] ?? 'I have looked.'
}

/** Hermes PR #92144: the key that signs sessions was in the environment of the agent's processes. */
describe('secrets of the service and what it starts', function () {
  this.timeout(90_000)
  const search = createSecretSearch(new Map(Object.entries(variables)))
  let record: string
  let service: WorkingService
  let terminal: { readonly status: number; readonly body: Record<string, unknown> }

  before(async () => {
    record = await mkdtemp(path.join(tmpdir(), 'agent-service-children-'))
    const loaded = fileURLToPath(new URL('../../fixtures/programs/record-children.cjs', import.meta.url))
    service = await startWorkingService({ look }, ['shell', 'read_file', 'search_files'], {
      ...variables,
      NODE_OPTIONS: `--require=${loaded}`,
      RECORD_CHILDREN: path.join(record, 'children.ndjson'),
    })
    const { url, token } = service.ada
    const upload = await fetch(`${url}/api/files/content?path=workspaces/assistant/minutes.docx`, {
      ...{ method: 'PUT', body: new Uint8Array(docxOf('Minutes of May')) },
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    })
    expect(upload.status).to.equal(201)
    // So large that a thread reads it.
    const large = { text: 'x'.repeat(900_000) }
    expect((await service.ada.request('POST', '/api/memory', large)).status).to.equal(422)
    terminal = await service.ada.request('POST', '/api/sandbox/terminals', { agent_id: service.agentId })
    const policy = { text: 'forbid (principal, action == Action::"connect", resource) when { resource.host == "closed.example" };' }
    expect((await service.ada.request('POST', '/api/admin/policies', policy)).status).to.equal(201)
    expect((await service.ada.request('POST', '/api/admin/backups')).status).to.equal(201)
  })
  after(async () => {
    await service?.close()
    await removeFolder(record)
  })

  const started = async (): Promise<readonly StartedChild[]> =>
    (await readFile(path.join(record, 'children.ndjson'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as StartedChild)

  it('are in nothing that programs of an agent find in their processes, whatever they are written in', async () => {
    const results = await service.resultsOf('look')
    if (service.confines) expect(results.slice(0, 3).map((text) => text.split(' after')[0])).to.deep.equal(Array(3).fill('Exit code 0'))
    else expect(results[0]).to.match(/^Code cannot run here because nothing would confine it/)
    // A terminal of the same person is open in the service.
    expect(results[0]).to.not.include('/dev/ptmx')
    expect(results[3]).to.include('Minutes of May')
    expect(search.inText('what the model was sent', service.received.join('\n'))).to.deep.equal([])
  })

  it('are in no environment and on no command line of a process below the service', async () => {
    const below = await descendantsOf(service.pid())
    const lines = below.map(({ line }) => line).join('\n')
    for (const program of ['policy-program', 'reader-program']) expect(lines).to.include(program)
    if (service.confines) {
      expect(terminal.status, JSON.stringify(terminal.body)).to.equal(201)
      expect(lines).to.include('/bin/bash')
    }
    expect(below.flatMap(({ line, environment }) => search.inText(line, `${line}\n${environment}`))).to.deep.equal([])
  })

  it('cannot be read from what the service has open: no process below it has inherited any of that', async () => {
    // What the tests themselves were started with goes to all below them.
    const outside = new Set([...(await openOf(process.pid)), '/dev/null'])
    const own = (await openOf(service.pid())).filter((each) => !each.startsWith('anon_inode:') && !outside.has(each))
    expect(own.join()).to.include('store.sqlite').and.include('socket:')
    // A reader closes what it got before it reads a document.
    await eventually(async () => {
      const inherited = (await descendantsOf(service.pid())).flatMap(({ line, open }) =>
        open.filter((each) => own.includes(each)).map((each) => `${each} in ${line}`),
      )
      expect(inherited).to.deep.equal([])
      return true
    })
  })

  it('are given to no process and no thread: each has variables that tell of the machine alone', async () => {
    const all = await started()
    const programs = all.map(({ program, words }) => [program, ...words].join(' ')).join('\n')
    for (const part of ['policy-program', 'backup-program', 'reader', 'piscina', 'writer-thread', 'confine'])
      expect(programs).to.include(part)
    for (const { kind, program, words, environment, stdio } of all) {
      const names = environment.map((each) => each.slice(0, each.indexOf('=')))
      const strange = names.filter((name) => !basicVariables.includes(name) && !name.startsWith('NODE_CHANNEL_'))
      expect([kind, program, strange]).to.deep.equal([kind === 'thread' ? 'thread' : 'process', program, []])
      expect(search.inText(program, words.join(' '))).to.deep.equal([])
      expect(
        stdio.filter((each) => !['ignore', 'pipe', 'ipc', 'overlapped', 'undefined'].includes(each)),
        program,
      ).to.deep.equal([])
    }
  })
})

/** A process or a thread is started there. */
const starts = /from 'node:(child_process|cluster)'|\bnew (Worker|Piscina)\b|import\('node-pty'\)|\b(startChild|runChild|keepRunning)\(/

const noVariables = 'an empty environment'
const namedVariables = 'variables by name'
/** Every place in the sources that starts something, and what that is given of the environment of the service. */
const places: Readonly<Record<string, string>> = {
  'kernel/cli/src/commands/plugin-installation/npm.ts': namedVariables,
  'kernel/cli/src/commands/stop-watchdog.ts': noVariables,
  'kernel/services/src/json-threads/json-pool.ts': noVariables,
  'plugins/database-sqlite/src/backup.ts': 'the basic variables of the kit',
  'plugins/database-sqlite/src/threads.ts': noVariables,
  'plugins/feature-agents/src/foreign-schemas/foreign-schemas.ts': noVariables,
  'plugins/feature-agents/src/import-export/exports/reading-thread.ts': noVariables,
  'plugins/feature-documents/src/processes/reader-process.ts': 'what its command says: nothing',
  'plugins/feature-documents/src/reader/confine-process.ts': 'starts nothing: takes the ways to do so away',
  'plugins/feature-inference/src/catalogue/refresh/fetch-snapshot.ts': noVariables,
  'plugins/feature-inference/src/pictures/picture-reducer.ts': noVariables,
  'plugins/feature-inference/src/tokens/create-token-worker.ts': noVariables,
  'plugins/policy-cedar/src/forked-program.ts': noVariables,
  // The program of an operator's AWS profile: for its own credentials it gets those of AWS.
  'plugins/provider-bedrock/src/credentials/profiles/process-credentials.ts': namedVariables,
  'plugins/sandbox-linux/src/files/own-files.ts': noVariables,
  'plugins/sandbox-linux/src/helper/compile-helper.ts': 'the folders of compilers',
  'plugins/sandbox-linux/src/machine/machine.ts': noVariables,
  'plugins/sandbox-linux/src/network/network-keeper.ts': noVariables,
  'plugins/sandbox-linux/src/processes/load-terminals.ts': 'what the launcher gets',
  'plugins/sandbox-macos/src/machine/probe.ts': 'what the launcher gets',
  'plugins/sandbox-macos/src/macos-driver.ts': 'what the launcher gets',
  'plugins/sandbox-macos/src/processes/process-table.ts': 'a fixed path',
  'plugins/sandbox-macos/src/processes/watchdog.ts': 'what the launcher gets',
  'plugins/tool-files/src/line-search.ts': noVariables,
  'plugins/vault-bitwarden/src/sync/run-sync.ts': noVariables,
  'plugins/vault-keepass/src/work-threads.ts': noVariables,
  'plugins/vault-onepassword/src/thread/sdk-thread.ts': noVariables,
  // Of authors of plugins, on their own machine.
  'sdk/src/build/dev/child.ts': 'the environment of the author',
  'sdk/src/build/dev/develop-plugin.ts': 'the environment of the author',
  'sdk/src/kits/sandbox-processes/launch-piped.ts': 'what the launcher gets',
  'sdk/src/process/run-child.ts': 'the basic variables of the kit',
  'sdk/src/process/start-child.ts': 'the basic variables of the kit',
}

describe('the places that start processes and threads', () => {
  const texts = new Map<string, string>()
  before(async () => {
    for (const file of await sourcesOf(['kernel', 'plugins', 'sdk'])) {
      const text = await readFile(path.join(root, file), 'utf8')
      if (starts.test(text)) texts.set(file, text)
    }
  })

  it('are those that were looked at: for a new one it is said what it is given, and the tests above start it', () => {
    expect([...texts.keys()]).to.have.members(Object.keys(places))
  })

  it('say what is given to it, where that is nothing', () => {
    for (const [file, given] of Object.entries(places)) {
      const text = texts.get(file) ?? ''
      if (given === noVariables) expect(text, file).to.match(/\benv: \{\}/)
      else if (given === namedVariables) expect(text, file).to.include('passedOn')
      if (/\bnew (Worker|Piscina)\b/.test(text)) expect(given, file).to.equal(noVariables)
    }
  })
})

/** The sources of the product, as paths below the root. */
async function sourcesOf(folders: readonly string[]): Promise<readonly string[]> {
  const all = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(path.join(root, folder), { recursive: true })
      return entries.map((entry) => path.posix.join(folder, entry))
    }),
  )
  return all
    .flat()
    .filter((file) => /\/src\/.*\.ts$/.test(file) && !/\.test\.ts$|\/(node_modules|dist|testing|test-support|support)\//.test(file))
}

interface Process {
  readonly line: string
  readonly environment: string
  readonly open: readonly string[]
}

/** What a process has open; it may end meanwhile. */
async function openOf(id: number): Promise<readonly string[]> {
  const folder = `/proc/${id}/fd`
  const names = await readdir(folder).catch(goneIsNothing<string[]>([]))
  return Promise.all(names.map((name) => readlink(path.join(folder, name)).catch(goneIsNothing('closed'))))
}

/** The processes below one that run now. */
async function descendantsOf(id: number): Promise<readonly Process[]> {
  const threads = await readdir(`/proc/${id}/task`).catch(goneIsNothing<string[]>([]))
  const lists = await Promise.all(threads.map((thread) => textAt(`/proc/${id}/task/${thread}/children`)))
  const children = lists
    .join(' ')
    .split(' ')
    .filter((text) => text.trim() !== '')
  const below = await Promise.all(
    children.map(Number).map(async (child) => {
      const [line, environment, open] = [
        await textAt(`/proc/${child}/cmdline`),
        await textAt(`/proc/${child}/environ`),
        await openOf(child),
      ]
      return [{ line: line.replaceAll('\0', ' '), environment: environment.replaceAll('\0', '\n'), open }, ...(await descendantsOf(child))]
    }),
  )
  return below.flat()
}

const textAt = (file: string): Promise<string> => readFile(file, 'utf8').catch(goneIsNothing(''))

/** For what ends while it is looked at. */
const goneIsNothing =
  <Value>(nothing: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return nothing
    throw error
  }
