import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree, repositoryRoot } from './repository-tree.js'

interface Lanes {
  readonly chain: readonly string[]
  readonly beside: readonly { readonly projects: readonly string[]; readonly after?: string }[]
}

const divide = async (root: string): Promise<Lanes> => {
  const file = pathToFileURL(path.join(repositoryRoot, 'kernel/scripts/lib/compile-lanes.mjs')).href
  const module = (await import(file)) as { divideProjects(root: string): Lanes }
  return module.divideProjects(root)
}

const referencesOf = async (folder: string): Promise<readonly string[]> => {
  const { references = [] } = JSON.parse(await readFile(path.join(repositoryRoot, folder, 'tsconfig.json'), 'utf8')) as {
    readonly references?: readonly { readonly path: string }[]
  }
  return references.map((reference) => path.posix.normalize(path.posix.join(folder, reference.path)))
}

/** The project with everything that it refers to. */
const closureOf = async (project: string): Promise<readonly string[]> => [
  ...new Set([project, ...(await Promise.all((await referencesOf(project)).map(closureOf))).flat()]),
]

describe('the two lanes of a compilation', () => {
  it('share no project of this repository, leave none out, and need nothing that is not ready', async () => {
    const { chain, beside } = await divide(repositoryRoot)
    const first = new Set((await Promise.all(chain.map(closureOf))).flat())
    const second = beside.flatMap(({ projects }) => projects)
    expect([...first, ...second].sort()).to.deep.equal([...(await referencesOf('.'))].sort())
    for (const [index, { projects, after }] of beside.entries()) {
      const ready = new Set(beside.slice(0, index + 1).flatMap((step) => step.projects))
      const ofChain = new Set((await Promise.all(chain.slice(0, chain.indexOf(after ?? '') + 1).map(closureOf))).flat())
      for (const project of projects)
        for (const needed of await closureOf(project))
          expect(ready.has(needed) || ofChain.has(needed), `${project} needs ${needed}, after ${String(after)}`).to.equal(true)
    }
  })

  describe('in a small repository', () => {
    let tree: RepositoryTree
    const compile = () =>
      tree.node([
        '--input-type=module',
        '--eval',
        `import { compileInLanes } from ${JSON.stringify(pathToFileURL(path.join(repositoryRoot, 'kernel/scripts/lib/build-stage.mjs')).href)}
        await compileInLanes(process.cwd()).catch((error) => { console.log(error.output); process.exitCode = 1 })`,
      ])
    beforeEach(async () => {
      tree = await createRepositoryTree()
    })
    afterEach(() => tree.remove())

    it('compile everything', async () => {
      const result = await compile()
      expect(result.code, result.output).to.equal(0)
      for (const folder of ['sdk', 'kernel/cli', 'plugins/one', 'plugins/two', 'examples/three'])
        expect(existsSync(path.join(tree.root, folder, 'dist/index.js')), folder).to.equal(true)
    })

    it('say what does not compile in either of them', async () => {
      await tree.write('examples/three/src/index.ts', "export const count: number = 'three'\n")
      expect(await compile()).to.have.property('code', 1)
      await tree.write('sdk/src/index.ts', "export const count: number = 'sdk'\n")
      const { code, output } = await compile()
      expect([code, /sdk\/src\/index\.ts.*TS2322/.test(output)]).to.deep.equal([1, true])
    })
  })
})
