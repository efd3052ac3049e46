import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'

const binary = fileURLToPath(new URL('../../../kernel/cli/bin/agent-service.mjs', import.meta.url))

describe('a container with a read-only root, whose user has neither a name nor a home', function () {
  this.timeout(120_000)
  let folder: string
  let service: ServiceProcess | undefined

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-'))
    await mkdir(path.join(folder, 'data'))
  })
  afterEach(async () => {
    await service?.kill()
    service = undefined
  })
  after(() => removeFolder(folder))

  const container = () => [
    ...['bwrap', '--die-with-parent', '--unshare-user', '--uid', '4711', '--gid', '0', '--unsetenv', 'HOME', '--setenv', 'TZ', ''],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--ro-bind', '/dev/null', '/etc/passwd'],
    ...['--bind', path.join(folder, 'data'), path.join(folder, 'data'), '--'],
  ]

  it('runs the service with all of its plugins', async () => {
    service = await startServiceProcess({ folder, within: container() })
    expect((await fetch(`${service.url}/readyz`)).status).to.equal(200)
    expect(service.log.filter((line) => line.includes('"state":"failed"'))).to.deep.equal([])
  })

  it('has commands say where they need to write', async () => {
    // What ends with the container ends after it; while it has the database open, nothing is copied.
    const [, owner = ''] = /^pid (\d+)/.exec(await readFile(path.join(folder, 'data', 'db', 'lock'), 'utf8')) ?? []
    await eventually(() => !existsSync(`/proc/${owner}`), { what: `the end of process ${owner}` })

    const [program = '', ...words] = [...container(), process.execPath, binary, 'doctor']
    const { status, stdout, stderr } = spawnSync(program, words, {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'] ?? '',
        SERVICE_SERVER_DATA_DIR: path.join(folder, 'data'),
        SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
      },
    })
    expect(status, stderr).to.equal(1)
    expect(stdout).to.contain('EROFS').and.contain('set TMPDIR to a folder that it can write')
  })
})
