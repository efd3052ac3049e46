import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { listFile, manifestHash } from '@agent-service/kernel-core/plugins/installed'
import type { PluginManifestFile } from '@agent-service/sdk'
import { expect } from 'chai'
import { findInstallation } from '../installation.js'
import { findInstalled, grantPlugin } from './install-plugin.js'
import { writeInstalled } from './installed-list.js'

const manifest: PluginManifestFile = { id: 'tool-dice', version: '1.0.0', apiVersion: 1, entry: './index.js' }

describe('a grant', () => {
  let folder: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'grant-plugin-')))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** Installs a version whose manifest has these members too. */
  async function install(more: object): Promise<string> {
    const plugins = path.join(folder, 'data-plugins')
    const place = path.join(plugins, 'tool-dice/node_modules/tool-dice')
    await mkdir(place, { recursive: true })
    await writeFile(
      path.join(place, 'package.json'),
      JSON.stringify({ name: 'tool-dice', type: 'module', agentService: { plugin: './plugin.json' } }),
    )
    await writeFile(path.join(place, 'plugin.json'), JSON.stringify({ ...manifest, ...more }))
    await writeFile(path.join(place, 'index.js'), '')
    const installed = { package: 'tool-dice', version: '1.0.0', source: './dice', integrity: 'sha512-x', installed_at: '2026-01-01' }
    await writeInstalled(plugins, { 'tool-dice': { ...installed, manifest: manifestHash({ ...manifest, ...more }) } })
    return listFile(plugins)
  }

  it('is for what was shown: nothing is granted if another manifest has taken its place', async () => {
    const invocation = {
      ...{ workingDirectory: folder, installation: findInstallation() },
      environment: { SERVICE_SERVER_DATA_DIR: path.join(folder, 'data') },
    }
    await install({})
    const { plugin: shown } = await findInstalled('tool-dice', invocation)
    const list = await install({ permissions: [{ kind: 'process', reason: 'Shakes.' }] })
    const before = await readFile(list, 'utf8')
    const granted = grantPlugin(shown, invocation as Parameters<typeof grantPlugin>[1], 'plugins grant')
    expect(await granted.catch((error: unknown) => error)).to.have.property('code', 'plugin_changed')
    expect(await readFile(list, 'utf8')).to.equal(before)
  })
})
