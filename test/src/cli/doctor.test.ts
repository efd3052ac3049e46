import { lstat, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runCommandLine } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { writeConfiguration } from '../support/configuration.js'
import { removeFolder, startServiceProcess } from '../support/service-process.js'
import { unpackUpgradeFolder, upgradeEnvironment } from '../upgrades/upgrade-folders.js'

const secret = { SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone', UPSTREAM_KEY: 'upstream-key-0123456789' }

/** Every file and folder with what a change of it would change, the access times apart. */
async function listing(folder: string): Promise<readonly string[]> {
  const names = ['.', ...(await readdir(folder, { recursive: true })).sort()]
  return Promise.all(
    names.map(async (name) => {
      const { mode, ino, size, mtimeNs, ctimeNs } = await lstat(path.join(folder, name), { bigint: true })
      return [name, mode, ino, size, mtimeNs, ctimeNs].join(' ')
    }),
  )
}

describe('agent-service doctor in the folder of a service', function () {
  this.timeout(60_000)
  let folder: string
  /** Where it makes its copies. */
  let temporary: string
  const before = process.env['TMPDIR']

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-examined-'))
    temporary = await mkdtemp(path.join(tmpdir(), 'agent-service-copies-'))
    process.env['TMPDIR'] = temporary
  })
  afterEach(async () => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    await removeFolder(temporary)
    await removeFolder(folder)
  })

  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    runCommandLine(args, { workingDirectory: folder, environment: { ...secret, HOME: folder, ...environment } })
  /** Runs it, and shows that it changes nothing and leaves no copy behind. */
  const examine = async (args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) => {
    const listed = await listing(folder)
    const copies = await readdir(temporary)
    const result = await run(['doctor', ...args], environment)
    expect(await listing(folder)).to.deep.equal(listed)
    expect(await readdir(temporary)).to.deep.equal(copies)
    return result
  }

  it('makes nothing where no service has run yet, and names the line that adds a model', async () => {
    const { status, output } = await examine()
    expect(status, output).to.equal(0)
    expect(output).to.match(/Database {7}sqlite at .*: does not exist yet; the first start creates it/)
    expect(output).to.match(/models: .*no model can be called.*OPENAI_API_KEY=<key> agent-service start/)
    expect(await readdir(folder)).to.deep.equal([])
    expect((await examine([], { OPENAI_API_KEY: 'key' })).output).not.to.include('no model can be called')
  })

  it('says what the program was loaded from, and why not from the bundle', async () => {
    const place = { workingDirectory: folder, environment: { ...secret, HOME: folder } }
    const bundled = await runCommandLine(['doctor'], { ...place, bundle: { entries: new Map() } })
    expect([bundled.status, bundled.output]).to.deep.include(0)
    expect(bundled.output).to.match(/^Code {11}is loaded from the bundle$/m)
    const bundle = { reason: 'there is no bundle' }
    const single = await runCommandLine(['doctor'], { ...place, bundle })
    expect(single.status, single.output).to.equal(0)
    expect(single.output).to.match(/^Code {11}is loaded from single files: there is no bundle\. “npm run build” makes/m)
    const { output } = await runCommandLine(['doctor', '--json'], { ...place, bundle })
    expect(JSON.parse(output)).to.deep.include({ code: { from: 'single_files', reason: 'there is no bundle' } })
  })

  it('changes nothing in a data folder, whether its service was stopped or killed', async () => {
    await run(['users', 'create', 'ada'], { AGENT_SERVICE_PASSWORD: 'a long enough password' })
    expect((await examine()).output).to.match(/opens, is writable\nPolicies {7}are usable\nMigrations {5}none\n/)
    const service = await startServiceProcess({ folder, environment: secret })
    await service.kill()
    const { status, output } = await examine(['--json'])
    expect([status, JSON.parse(output)]).to.deep.include(0)
    expect(JSON.parse(output)).to.deep.include({
      service: null,
      database: { state: 'usable', writable: true, problem: null },
      policies: 'usable',
      migrations: [],
    })
  })

  it('works while the service runs, and asks it', async () => {
    await writeConfiguration(folder, 'http://127.0.0.1:9/v1')
    const service = await startServiceProcess({ folder, environment: secret })
    try {
      const { port } = new URL(service.url)
      const asked = await run(['doctor'], { SERVICE_SERVER_PORT: port })
      expect(asked.status, asked.output).to.equal(0)
      expect(asked.output).to.include(
        `Service        runs as process ${service.child.pid} at http://localhost:${port} and is ready; its database is not examined\n`,
      )
      const notAsked = await run(['doctor'], { SERVICE_SERVER_PORT: '0' })
      expect(notAsked.status).to.equal(0)
      expect(notAsked.output).to.match(/runs as process \d+ at a port that it chose itself/)
      const wrongPort = await run(['doctor', '--json'], { SERVICE_SERVER_PORT: '9' })
      expect(wrongPort.status).to.equal(1)
      expect(JSON.parse(wrongPort.output)).to.have.nested.property('service.ready', false)
    } finally {
      expect(await service.stop()).to.equal(0)
    }
  })

  it('lists what a start would migrate, and migrates nothing', async () => {
    const { folder: old } = await unpackUpgradeFolder('0.1.0-before-runs')
    await removeFolder(folder)
    folder = old
    const environment = upgradeEnvironment('http://127.0.0.1:9/v1')
    const { output } = await examine(['--json'], environment)
    const { migrations } = JSON.parse(output) as { readonly migrations: readonly object[] }
    expect(migrations.length).to.be.greaterThan(0)
    expect(migrations[0]).to.have.all.keys('collection', 'from', 'to', 'description', 'documents')
    expect(JSON.parse((await examine(['--json'], environment)).output)).to.deep.include({ migrations })
  })

  it('ends with 1 for a damaged database, which it leaves as it is', async () => {
    await run(['users', 'create', 'ada'], { AGENT_SERVICE_PASSWORD: 'a long enough password' })
    const database = path.join(folder, 'data', 'db')
    const file = (await readdir(database)).find((name) => name.endsWith('.sqlite') || name.endsWith('.db')) ?? expect.fail('no file')
    const bytes = await readFile(path.join(database, file))
    await writeFile(path.join(database, file), Buffer.concat([Buffer.alloc(200, 7), bytes.subarray(200)]))
    const { status, output } = await examine()
    expect(status).to.equal(1)
    expect(output).to.include(`${database}: cannot be used`)
    expect(output).not.to.include('agent-service-doctor-')
    expect(output).not.to.include('    at ')
  })
})
