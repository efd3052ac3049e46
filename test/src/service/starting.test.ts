import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { removeFolder, startServiceProcess } from '../support/service-process.js'

const binary = fileURLToPath(new URL('../../../kernel/cli/bin/agent-service.mjs', import.meta.url))
/** The user that owns nothing, on every Linux. */
const nobody = 65_534

describe('starts that cannot succeed', function () {
  this.timeout(60_000)
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-starting-'))
    await mkdir(path.join(folder, 'data'))
  })
  afterEach(async () => {
    await chmod(path.join(folder, 'data'), 0o700)
    await removeFolder(folder)
  })

  const settings = (): Readonly<Record<string, string>> => ({
    SERVICE_SERVER_DATA_DIR: path.join(folder, 'data'),
    SERVICE_SERVER_PORT: '0',
    SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
  })
  /** A start in this process, for one that does not get past its configuration. */
  const startHere = (environment: Readonly<Record<string, string>>) =>
    runCommandLine(['start'], { workingDirectory: '/', environment: { ...settings(), ...environment } })
  /** A start that is expected to end by itself. */
  const start = async (environment: Readonly<Record<string, string>> = {}, user?: number) => {
    const child = spawn(process.execPath, [binary, 'start'], {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '', ...settings(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 20_000,
      ...(user === undefined ? {} : { uid: user, gid: user }),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    const [status] = (await once(child, 'close')) as [number | null]
    expect(output, 'nothing of the inside').to.not.match(/^\s+at .+:\d+:\d+|UnhandledPromise|node:internal/m)
    return { status, output }
  }

  it('names a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { status, output } = await start({ SERVICE_SERVER_PORT: String(port) })
    expect(status).to.equal(1)
    expect(output).to.contain(`Port ${port} on 127.0.0.1 is in use by another process`).and.contain('SERVICE_SERVER_PORT')
    other.close()
  })

  it('names a folder that it cannot access', async () => {
    await writeFile(path.join(folder, 'data', 'config.yaml'), '')
    await chmod(folder, 0o755)
    await chmod(path.join(folder, 'data'), 0o555)
    const { status, output } = await start({}, process.getuid?.() === 0 ? nobody : undefined)
    expect(status).to.equal(1)
    expect(output)
      .to.contain(path.join(folder, 'data'))
      .and.match(/permission|not allowed|access|write/i)
  })

  it('names the process that uses the data folder', async () => {
    const first = await startServiceProcess({ folder })
    try {
      const { status, output } = await start()
      expect(status).to.equal(1)
      expect(output).to.contain(`in use by process ${first.child.pid}`).and.contain(`ps -fp ${first.child.pid}`)
      expect((await fetch(`${first.url}/readyz`)).status).to.equal(200)
    } finally {
      expect(await first.stop()).to.equal(0)
    }
  })

  it('exits with 78 and every problem at once, of the file and of the environment', async () => {
    await writeFile(path.join(folder, 'data', 'config.yaml'), 'server: {port: -1}\nnonsense: true\n')
    const { status, output } = await start({ SERVICE_SERVER_UNKNOWN: '1' })
    expect(status, output).to.equal(78)
    expect(output).to.contain('server.port').and.contain('nonsense').and.contain('SERVICE_SERVER_UNKNOWN')
  })

  it('exits with 78 on a file that cannot be parsed, or is missing', async () => {
    await writeFile(path.join(folder, 'data', 'config.yaml'), 'server: [')
    const broken = await startHere({})
    expect([broken.status, broken.output.includes('config.yaml')], broken.output).to.deep.equal([78, true])
    const absent = await startHere({ SERVICE_CONFIG: path.join(folder, 'absent.yaml') })
    expect([absent.status, absent.output.includes('absent.yaml')], absent.output).to.deep.equal([78, true])
  })

  for (const [where, environment] of [
    ['in production', { NODE_ENV: 'production' }],
    ['on other addresses', { SERVICE_SERVER_HOST: '0.0.0.0' }],
  ] as const) {
    it(`refuses the development secret ${where}`, async () => {
      const { status, output } = await startHere({ SERVICE_AUTH_ENCRYPTION_SECRET: '', ...environment })
      expect(status, output).to.equal(78)
      expect(output).to.contain('SERVICE_AUTH_ENCRYPTION_SECRET')
    })
  }

  it('refuses a secret other than the one that the data was written with', async () => {
    const first = await startServiceProcess({ folder })
    expect(await first.stop()).to.equal(0)
    const { status, output } = await start({ SERVICE_AUTH_ENCRYPTION_SECRET: 'another secret altogether' })
    expect(status, output).to.equal(1)
    expect(output).to.not.contain('another secret altogether')
    const again = await startServiceProcess({ folder })
    expect(await again.stop()).to.equal(0)
  })
})
