import { access, mkdir, mkdtemp, open, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runCommandLine } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { runCommand } from '../support/command.js'

/** Eight lists, each of nine aliases of the one before: 43 million values in 300 bytes. */
const bomb = [
  'a: &a0 [x, x, x]',
  ...Array.from({ length: 8 }, (_, level) => `b${level}: &a${level + 1} [${Array(9).fill(`*a${level}`).join(', ')}]`),
].join('\n')

const texts: readonly (readonly [what: string, yaml: string, said: RegExp])[] = [
  ['is no YAML', 'server: [\n', /not valid YAML.*\(2:1\)/],
  ['has several documents', 'server: {}\n---\nserver: {}\n', /a second document begins here.*\(2:1\)/],
  ['has a key twice', 'server:\n  port: 1\n  port: 2\n', /this key is here twice \(3:3\)/],
  ['is indented with tabs', 'server:\n\tport: 1\n', /a tab indents this line.*\(2:1\)/],
  ['uses anchors as a bomb', bomb, /has more than 100000 values with aliases followed/],
  [
    'picks a database that is to come',
    'database: { driver: postgres }\n',
    /database\.driver: “postgres” is not supported in this version: .* Use “sqlite” or “lowdb” \(1:21\)/,
  ],
  ['is a list', '- server\n', /must contain sections/],
]

describe('a service whose configuration file', function () {
  this.timeout(30_000)
  let folder: string
  let file: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bad-file-'))
    file = path.join(folder, 'data', 'config.yaml')
    await mkdir(path.dirname(file))
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  /**
   * Starts the service, in this process or as one of its own. It must refuse with 78, name the file
   * and leave nothing behind.
   */
  async function refusal(environment: Readonly<Record<string, string>> = {}, start = startHere): Promise<string> {
    const before = await readdir(path.join(folder, 'data'))
    const { status, output } = await start(environment)
    expect(status, output).to.equal(78)
    expect(output)
      .to.contain(environment['SERVICE_CONFIG'] ?? file)
      .and.not.match(/^ {4}at /m)
    expect(await readdir(path.join(folder, 'data'))).to.deep.equal(before)
    return output
  }
  type Start = (environment: Readonly<Record<string, string>>) => Promise<{ readonly status: number | null; readonly output: string }>
  const startHere: Start = (environment) => runCommandLine(['start'], { workingDirectory: folder, environment })
  const startProcess: Start = async (environment) => {
    const command = runCommand(folder, ['start'], environment)
    return { status: await command.ended, output: command.output() }
  }

  for (const [what, yaml, said] of texts) {
    it(`${what} ends with 78, with its place`, async () => {
      await writeFile(file, yaml)
      expect(await refusal()).to.match(said)
    })
  }

  it('has 50 MB ends with 78 without reading it', async () => {
    const handle = await open(file, 'w')
    await handle.truncate(50 * 1024 * 1024)
    await handle.close()
    expect(await refusal({}, startProcess)).to.match(/has 52428800 bytes; at most 1048576 are read/)
  })

  it('is a folder, a dangling link, not there or not readable ends with 78', async () => {
    await mkdir(file)
    expect(await refusal()).to.match(/is a folder/)
    await rm(file, { recursive: true })
    await symlink('/nowhere/config.yaml', file)
    expect(await refusal()).to.match(/is a link to a missing file/)
    expect(await refusal({ SERVICE_CONFIG: path.join(folder, 'none.yaml') })).to.match(/the file does not exist/)
    // Root may read every file, but not this one from its beginning.
    const unreadable = '/proc/self/mem'
    await access(unreadable)
    expect(await refusal({ SERVICE_CONFIG: unreadable })).to.match(/cannot be read/)
  })

  it('has many mistakes ends with 78 and all of them, with lines, columns and the nearest names', async () => {
    await writeFile(
      file,
      [
        'server:',
        '  prot: 1',
        '  port: many',
        'sandbox: { max_cpu_pct: 0 }',
        'memroy: {}',
        'models:',
        '  primary: { provider: nobody, model: m, retry: { max_retires: 1 } }',
        'voice:',
        '  callback_base_url: https://a.example',
      ].join('\n'),
    )
    const output = await refusal({ SERVICE_MCP_ENABLED: 'perhaps', SERVICE_SHARE_TTL_SEC: '1' }, startProcess)
    for (const line of [
      'server.prot: is not known here; did you mean “port”? (2:3)',
      'server.port: must be a whole number, found text “many” (3:9)',
      'sandbox.max_cpu_pct: must be more than 0 percent, found the number 0 (4:25)',
      'memroy: is not known here; did you mean “memory”? (5:1)',
      'models.primary.retry.max_retires: is not known here; did you mean “max_retries”? (7:51)',
      'models.primary.provider: ',
      'voice.callback_base_url: is no longer a field. Set server.external_url',
      'mcp.enabled: must be true or false; the text in SERVICE_MCP_ENABLED is not',
      'share: SERVICE_SHARE_TTL_SEC does not name a field; did you mean “SERVICE_SHARE_TTL_SECS”?',
    ])
      expect(output).to.contain(line)
    expect(output).to.match(/has 9 problems/)
  })
})
