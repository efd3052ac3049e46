import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readInstalled } from '@agent-service/kernel-core/plugins/installed'
import { expect } from 'chai'
import { withInstallationLock, writeInstalled } from './installed-list.js'

const entry = (version: string) => ({
  ...{ package: 'tool-dice', version, source: 'tool-dice', integrity: 'sha512-x' },
  ...{ installed_at: '2026-01-01T00:00:00Z', manifest: 'x' },
})

describe('the lock of installed plugins', () => {
  let folder: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'installed-')))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('loses none of several concurrent changes', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `tool-${index}`)
    const add = (id: string) =>
      withInstallationLock(folder, 10_000, async () => writeInstalled(folder, { ...(await readInstalled(folder)), [id]: entry('1.0.0') }))
    await Promise.all(ids.map(add))
    expect(Object.keys(await readInstalled(folder)).sort()).to.deep.equal(ids)
  })

  it('names the blocking process, and changes nothing', async () => {
    const refused = await withInstallationLock(folder, 10_000, () =>
      withInstallationLock(folder, 20, () => writeInstalled(folder, {})).catch((error: Error) => error),
    )
    expect(refused).to.include({ code: 'plugin_installation_busy' })
    expect(String(refused)).to.contain(folder).and.contain('try again')
    expect(await readInstalled(folder)).to.deep.equal({})
  })
})
