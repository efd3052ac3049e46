import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { checkKnownHoles, nodeFinding, packageFindings } from './known-holes.js'

const holes = {
  as_of: '2026-07-29',
  source: 'https://nodejs.org/en/blog/vulnerability/july-2026-security-releases',
  node: [
    { line: 20, patched: '20.20.2', ended: '2026-04-30' },
    { line: 22, patched: '22.23.2' },
    { line: 24, patched: '24.18.1' },
  ],
  packages: [{ name: 'axios', versions: ['1.14.1'], advisory: 'SNYK-1' }],
}

describe('the known holes that doctor looks for', () => {
  it('are those of a Node.js before the patched release of its line, and of a line that has ended', () => {
    const states = ['18.20.8', '20.20.2', '22.9.0', '22.23.1', '22.23.2', '22.100.0', '24.18.0', '24.19.0', '27.0.0'].map(
      (version) => [version, nodeFinding(holes, version).state] as const,
    )
    expect(states.filter(([, state]) => state === 'warning').map(([version]) => version)).to.deep.equal([
      ...['18.20.8', '20.20.2', '22.9.0', '22.23.1', '24.18.0'],
    ])
    expect(nodeFinding(holes, '22.23.1').text).to.equal(
      `22.23.1 has security holes that 22.23.2 mends (${holes.source}): use 22.23.2, 24.18.1 or a later one of these lines`,
    )
  })

  it('are packages that were poisoned, and those that no hash binds', () => {
    const sound = { name: 'axios', version: '1.14.0', integrity: true }
    expect(packageFindings(holes, [sound]).map(({ state }) => state)).to.deep.equal(['well'])
    const found = packageFindings(holes, [sound, { ...sound, version: '1.14.1' }, { name: 'loose', version: '1.0.0', integrity: false }])
    expect(found.map(({ state, text }) => [state, text.split(' ').slice(0, 2).join(' ')])).to.deep.equal([
      ['failed', 'axios 1.14.1'],
      ['warning', 'loose 1.0.0'],
    ])
    expect(packageFindings(holes, undefined).map(({ state }) => state)).to.deep.equal(['warning'])
  })

  it('are looked for in the lock of what npm has installed, at any depth', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'known-holes-'))
    try {
      for (const folder of ['resources', 'kernel', 'node_modules']) await mkdir(path.join(root, folder))
      await writeFile(path.join(root, 'resources', 'known-holes.json'), JSON.stringify(holes))
      const packages = {
        '': { name: 'root' },
        'node_modules/@agent-service/sdk': { link: true, version: '1.0.0' },
        'node_modules/a': { version: '1.0.0', integrity: 'sha512-1' },
        'node_modules/a/node_modules/axios': { version: '1.14.1', integrity: 'sha512-2' },
      }
      await writeFile(path.join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }))
      const found = await checkKnownHoles({ installedResources: path.join(root, 'resources'), installFolder: path.join(root, 'kernel') })
      expect(found.map(({ id }) => id)).to.deep.equal(['node', 'packages'])
      expect(found[1]?.findings).to.deep.equal([
        { state: 'failed', text: 'axios 1.14.1 must not be used (SNYK-1): install the service again' },
      ])
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  })
})
