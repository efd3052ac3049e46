import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { findInstallation } from './installation.js'
import { portUnknownError, serviceUrl } from './service-url.js'

describe('the address of the running service', () => {
  let folder: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-url-'))
    await mkdir(path.join(folder, 'data'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const urlWith = async (file: string, environment: Readonly<Record<string, string>> = {}, given?: string): Promise<string> => {
    await writeFile(path.join(folder, 'data', 'config.yaml'), file)
    return serviceUrl({ environment, workingDirectory: folder, installation: findInstallation() }, given)
  }

  for (const [what, file, environment, given, url] of [
    ['by default', '', {}, undefined, 'http://localhost:3001'],
    ['of the file', 'server:\n  port: 4005\n', {}, undefined, 'http://localhost:4005'],
    ['of the environment, over the file', 'server:\n  port: 4005\n', { SERVICE_SERVER_PORT: '4006' }, undefined, 'http://localhost:4006'],
    ['of another data folder', '', { SERVICE_CONFIG: 'missing.yaml' }, undefined, 'http://localhost:3001'],
    ['with the host that it listens on', 'server:\n  host: 192.168.1.5\n', {}, undefined, 'http://192.168.1.5:3001'],
    ['with an IPv6 host', 'server:\n  host: "fd00::1"\n', {}, undefined, 'http://[fd00::1]:3001'],
    ['on every address', 'server:\n  host: 0.0.0.0\n', {}, undefined, 'http://localhost:3001'],
    ['while the file is broken', 'server: [\n', {}, undefined, 'http://localhost:3001'],
    ['as AGENT_SERVICE_URL has it', 'server:\n  port: 4005\n', { AGENT_SERVICE_URL: 'http://elsewhere' }, undefined, 'http://elsewhere'],
    ['as --url has it', '', { AGENT_SERVICE_URL: 'http://elsewhere' }, 'http://here', 'http://here'],
  ] as const) {
    it(`is ${url} ${what}`, async () => expect(await urlWith(file, environment, given)).to.equal(url))
  }

  it('is not known if the service chooses its port', async () => {
    const failure: unknown = await urlWith('server:\n  port: 0\n').catch((error: unknown) => error)
    expect(portUnknownError.isInstance(failure)).to.equal(true)
    expect(await urlWith('server:\n  port: 0\n', {}, 'http://here')).to.equal('http://here')
  })
})
