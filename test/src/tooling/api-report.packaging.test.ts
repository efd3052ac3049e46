import { rename } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree, repositoryRoot } from './repository-tree.js'

const build = ['node_modules/typescript-7/bin/tsc', '--build', 'sdk']
const report = 'sdk/scripts/api-report.mjs'

/**
 * What the command does, in this process: loading the extractor takes longer than all that these
 * tests do with it.
 */
interface ApiReport {
  compareReports(sdk: string): Promise<readonly string[]>
  writeReports(sdk: string): Promise<readonly string[]>
}

describe('the API report', () => {
  let tree: RepositoryTree
  let sdk: string
  let apiReport: ApiReport

  before(async () => {
    tree = await createRepositoryTree()
    sdk = path.join(tree.root, 'sdk')
    apiReport = (await import(pathToFileURL(path.join(repositoryRoot, report)).href)) as ApiReport
    await offer('/** A place. @public */', 'export const place: string = "here"')
  })

  after(() => tree.remove())

  const offer = async (...lines: readonly string[]): Promise<void> => {
    await tree.write('sdk/src/index.ts', [...lines, ''].join('\n'))
    expect((await tree.node(build)).output).to.equal('')
  }

  it('names an entry point without a report', async () => {
    const result = await tree.check('api-report')
    expect(result.output).to.include('sdk/api/index.api.md is absent')
    expect(result.output).to.include('api-report.mjs --write')
    expect(result.code).to.equal(1)
  })

  it('passes after it was written, and again without the compiler', async () => {
    expect(await tree.node([report, '--write'])).to.deep.equal({ code: 0, output: '' })
    expect(await tree.node([report])).to.deep.equal({ code: 0, output: '' })
    const extractor = path.join(tree.root, 'node_modules/@microsoft')
    await rename(extractor, `${extractor}-away`)
    try {
      expect(await tree.node([report])).to.deep.equal({ code: 0, output: '' })
      expect((await tree.node([report, '--write'])).output).to.include('@microsoft/api-extractor')
    } finally {
      await rename(`${extractor}-away`, extractor)
    }
  })

  it('shows a change of the surface', async () => {
    await offer('/** A place. @public */', 'export const place: number = 1')
    const problems = await apiReport.compareReports(sdk)
    expect(problems).to.have.lengthOf(1)
    expect(problems[0]).to.match(/sdk\/api\/index\.api\.md differs:\s+- export const place: string;\s+\+ export const place: number;/)
  })

  it('refuses exports and members without a doc comment, also when it writes', async () => {
    await offer(
      '/** A place. */',
      'export interface Place {',
      '  /** Where. */',
      '  readonly name: string',
      '  readonly height: number',
      '  move(): void',
      '}',
      'export const here = 1',
      '/** There. */',
      'export const there = 2',
    )
    const written = await apiReport.writeReports(sdk)
    const compared = await apiReport.compareReports(sdk)
    for (const problems of [written, compared]) {
      expect(problems).to.deep.equal([
        'index.api.md: here has no doc comment that states its guarantee',
        'index.api.md: Place: readonly height: number; has no doc comment that states its guarantee',
        'index.api.md: Place: move(): void; has no doc comment that states its guarantee',
      ])
    }
  })

  it('passes again once they have one', async () => {
    await offer('/** Here. */', 'export const here = 1')
    expect(await apiReport.writeReports(sdk)).to.deep.equal([])
    expect((await tree.check('api-report')).output).to.match(/^✓ api-report/)
  })

  it('names a report without an entry point', async () => {
    await tree.write('sdk/api/gone.api.md', 'gone\n')
    expect(await apiReport.compareReports(sdk)).to.deep.equal(['sdk/api/gone.api.md belongs to no entry point: it was removed or renamed'])
  })
})
