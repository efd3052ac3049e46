import type { PluginManifestFile } from '@agent-service/sdk'
import { expect } from 'chai'
import { requestedAccess, ungranted } from './installed-plugins.js'

const manifest = (changes: Partial<PluginManifestFile>): PluginManifestFile => ({ id: 'feed', version: '1.0.0', apiVersion: 1, ...changes })

describe('the access that a manifest asks for', () => {
  it('names every target of a permission, and anything if it names none', () => {
    const permissions: PluginManifestFile['permissions'] = [
      { kind: 'network', targets: ['feed.example'], targetsFromConfiguration: ['/url'], reason: 'To read it.' },
      { kind: 'files', reason: 'To keep it.' },
    ]
    expect(requestedAccess(manifest({ permissions }))).to.deep.equal([
      'network: feed.example',
      'network: the address in the setting /url',
      'files: anything',
    ])
  })

  it('says of scripts in the console what they can do, and widens with them', () => {
    const permissions: PluginManifestFile['permissions'] = [{ kind: 'console', reason: 'Shows feeds.' }]
    const line = 'console: runs code in the pages of the console, with the rights of whoever is signed in'
    expect(requestedAccess(manifest({ permissions }))).to.deep.equal([line])
    const installed = { grant: { reaches: requestedAccess(manifest({})), granted_at: 'now' } }
    expect(ungranted(installed as never, manifest({ permissions }))).to.deep.equal([line])
  })

  it('widens with an id that the plugin takes over', () => {
    const taker = manifest({ renamedFrom: ['blog'] })
    expect(requestedAccess(taker)).to.deep.equal(['takes over the data of the plugin “blog”'])
    const installed = { grant: { reaches: requestedAccess(manifest({})), granted_at: 'now' } }
    expect(ungranted(installed as never, taker)).to.deep.equal(['takes over the data of the plugin “blog”'])
  })

  it('beyond the grant is what a later version adds, and all of it without a grant', () => {
    const wider = manifest({ contributes: ['tool'], requires: ['kernel.events'] })
    const installed = { package: 'feed', version: '1.0.0', manifest: 'hash', installed_at: 'now' }
    const grant = { reaches: requestedAccess(manifest({ contributes: ['tool'] })), granted_at: 'now' }
    expect(ungranted({ ...installed, grant } as never, wider)).to.deep.equal(['uses the service kernel.events'])
    expect(ungranted(installed as never, wider)).to.deep.equal(['adds to tool', 'uses the service kernel.events'])
  })
})
