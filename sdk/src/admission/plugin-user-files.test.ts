import { expect } from 'chai'
import type { UserFiles, UserFolder, UserFolderPlace, UserUploads } from '../services/user-files.js'
import { createPluginUserFiles, type StorageOwner } from './plugin-user-files.js'

describe('createPluginUserFiles', () => {
  const plugins: readonly StorageOwner[] = [
    { id: 'feature-agents', manifest: { storage: { subsystems: ['workspaces', 'files'] } } },
    { id: 'tool-files', manifest: { storage: { uses: ['workspaces'] } } },
    { id: 'notes', manifest: { storage: { subsystems: ['notes', 'notes.drafts'] } } },
    { id: 'plain', manifest: {} },
  ]
  const opened: UserFolderPlace[] = []
  const folder = {} as UserFolder
  const files: UserFiles = {
    folder(_, place) {
      opened.push(place)
      return folder
    },
    uploads(_, place) {
      opened.push(place)
      return {} as UserUploads
    },
    hostFolder: async () => '/users/ada',
    stored: async () => ({ usedBytes: 0 }),
    freeLeftovers: async () => undefined,
  }
  const ofPlugin = (pluginId: string): UserFiles => createPluginUserFiles({ files, plugins, pluginId })
  const owner = { handle: 'ada' }

  it('permits the subsystems that the manifest declares or uses', () => {
    for (const [plugin, subsystem] of [
      ['feature-agents', 'files'],
      ['tool-files', 'workspaces'],
      ['notes', 'notes.drafts'],
    ] as const) {
      expect(ofPlugin(plugin).folder(owner, { subsystem, path: 'a' })).to.equal(folder)
      expect(opened.at(-1)).to.deep.equal({ subsystem, path: 'a' })
    }
  })

  it('refuses all others, and names the owner and what to declare', async () => {
    const before = opened.length
    expect(() => ofPlugin('tool-files').folder(owner, { subsystem: 'files' })).to.throw(
      /“tool-files”.*of plugin “feature-agents”.*storage\.uses/,
    )
    expect(() => ofPlugin('plain').folder(owner, { subsystem: 'tokens' })).to.throw(/“plain”.*“tokens”.*storage\.subsystems/)
    expect(() => ofPlugin('notes').folder(owner, { subsystem: '../vault' })).to.throw(/subsystem/)
    expect(() => ofPlugin('unknown').folder(owner, { subsystem: 'files' })).to.throw(/“unknown”/)
    const code = await ofPlugin('plain')
      .hostFolder(owner, { subsystem: 'files' })
      .catch((error: { readonly code: unknown }) => error.code)
    expect(code).to.equal('subsystem_undeclared')
    expect(await ofPlugin('tool-files').hostFolder(owner, { subsystem: 'workspaces' })).to.equal('/users/ada')
    expect(opened).to.have.length(before)
  })
})
