import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { runCommand } from '../support/command.js'
import { removeFolder } from '../support/service-process.js'

describe('agent-service doctor', function () {
  this.timeout(30_000)
  let folder: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-doctor-'))
    const plugin = path.join(folder, 'broken')
    await mkdir(plugin)
    const manifest = { id: 'broken', version: '1.0.0', apiVersion: 1, description: 'Broken.', entry: './index.js', contributes: [] }
    const description = { name: 'broken', version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }
    await writeFile(path.join(plugin, 'package.json'), JSON.stringify(description))
    await writeFile(path.join(plugin, 'plugin.json'), JSON.stringify(manifest))
    await writeFile(path.join(plugin, 'index.js'), "throw new Error('no luck today')\n")
  })
  after(() => removeFolder(folder))

  it('names a plugin whose code cannot be loaded, checks the rest, and exits with 1', async () => {
    const command = runCommand(folder, ['doctor'], {
      SERVICE_SERVER_DATA_DIR: path.join(folder, 'data'),
      SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
      SERVICE_PLUGINS_SOURCES: JSON.stringify([path.join(folder, 'broken')]),
    })
    expect(await command.ended, command.output()).to.equal(1)
    expect(command.output()).to.match(/broken: importing .+index\.js failed: no luck today/)
    expect(command.output()).to.match(/Migrations\s+none/)
  })
})
