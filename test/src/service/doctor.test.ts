import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { writePlugin } from '../authors/support/written-plugin.js'
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

  it('names plugins that end the process and whose collections are not valid, as does the list of commands', async () => {
    const exits = await writePlugin(path.join(folder, 'exits'), { manifest: { id: 'exits' }, code: 'process.exit(0)' })
    const leaves = await writePlugin(path.join(folder, 'leaves'), {
      manifest: { id: 'leaves', contributes: ['cli.command'] },
      setup: 'process.exit(0)',
    })
    const stores = await writePlugin(path.join(folder, 'stores'), {
      manifest: { id: 'stores' },
      collections: `[{ name: 'stores.things', version: 1 }]`,
    })
    const environment = {
      SERVICE_SERVER_DATA_DIR: path.join(folder, 'data'),
      SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
      SERVICE_PLUGINS_SOURCES: JSON.stringify([exits, leaves, stores]),
    }
    const doctor = runCommand(folder, ['doctor'], environment)
    expect(await doctor.ended, doctor.output()).to.equal(1)
    expect(doctor.output())
      .to.match(/exits: importing .+index\.js failed: Plugin “exits” called process\.exit\(\)/)
      .and.match(/stores: .*“stores\.things” is not valid: it has no “indexes”/)
      .and.match(/Migrations\s+none/)
    const help = runCommand(folder, ['--help'], environment)
    expect(await help.ended, help.output()).to.equal(0)
    expect(help.output()).to.match(/Commands of the plugin “leaves” are missing: .*called process\.exit\(\)/)
  })

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
