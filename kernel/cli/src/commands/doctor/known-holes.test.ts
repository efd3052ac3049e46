import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { findInstallation } from '../installation.js'
import { checkKnownHoles, type KnownHoles, nodeFinding, packageFindings } from './known-holes.js'

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

  it('ship with the releases before those of October 2026, which let a compressed answer write into memory (CVE-2026-111497)', async () => {
    const { installedResources } = findInstallation()
    const shipped = JSON.parse(await readFile(path.join(installedResources, 'known-holes.json'), 'utf8')) as KnownHoles
    const states = ['22.23.3', '24.22.0', '25.9.0', '26.12.0'].map((version) => nodeFinding(shipped, version).state)
    expect(states).to.deep.equal(['warning', 'warning', 'warning', 'warning'])
  })

  describe('in an installation', () => {
    let root: string
    beforeEach(async () => {
      root = await mkdtemp(path.join(tmpdir(), 'known-holes-'))
      for (const folder of ['resources', 'kernel', 'node_modules']) await mkdir(path.join(root, folder))
      await writeFile(path.join(root, 'resources', 'known-holes.json'), JSON.stringify(holes))
    })
    afterEach(() => rm(root, { recursive: true, force: true }))
    const found = () => checkKnownHoles({ installedResources: path.join(root, 'resources'), installFolder: path.join(root, 'kernel') })
    const lock = () => path.join(root, 'node_modules', '.package-lock.json')

    it('are looked for in the lock of what npm has installed, at any depth', async () => {
      const packages = {
        '': { name: 'root' },
        'node_modules/@agent-service/sdk': { link: true, version: '1.0.0' },
        'node_modules/a': { version: '1.0.0', integrity: 'sha512-1' },
        'node_modules/a/node_modules/axios': { version: '1.14.1', integrity: 'sha512-2' },
      }
      await writeFile(lock(), JSON.stringify({ packages }))
      const [node, all] = await found()
      expect([node?.id, all?.id]).to.deep.equal(['node', 'packages'])
      expect(all?.findings).to.deep.equal([{ state: 'failed', text: 'axios 1.14.1 must not be used (SNYK-1): install the service again' }])
    })

    it('cannot be looked for with a damaged lock, or a list that is damaged or gone: that is all that fails', async () => {
      for (const text of ['', '{"packages":', '[]', '{"lockfileVersion":1}', '{"packages":{"node_modules/a":7}}']) {
        await writeFile(lock(), text)
        const [node, all] = await found()
        expect(node?.findings[0]?.text, text).to.not.include('could not be checked')
        expect(all?.findings, text).to.have.length(1)
        expect(all?.findings[0]?.state, text).to.equal('failed')
        expect(all?.findings[0]?.text, text).to.match(/^could not be checked: .*\.package-lock\.json/)
      }
      const list = path.join(root, 'resources', 'known-holes.json')
      for (const damage of [() => writeFile(list, '{'), () => writeFile(list, '{}'), () => rm(list)]) {
        await damage()
        await rm(lock(), { force: true })
        const texts = (await found()).flatMap(({ findings }) => findings.map(({ state, text }) => `${state} ${text}`))
        expect(texts).to.have.length(2)
        for (const text of texts) expect(text).to.match(/^failed could not be checked: .*known-holes\.json/)
      }
    })
  })
})
