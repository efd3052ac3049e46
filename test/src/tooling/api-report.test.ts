import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree } from './repository-tree.js'

const build = ['node_modules/typescript/bin/tsc', '--build', 'sdk']
const report = 'sdk/scripts/api-report.mjs'

describe('the API report', () => {
  let tree: RepositoryTree

  before(async () => {
    tree = await createRepositoryTree()
    await tree.write('sdk/src/index.ts', '/** A place. @public */\nexport const place: string = "here"\n')
    expect((await tree.node(build)).output).to.equal('')
  })

  after(() => tree.remove())

  it('names an entry point without a report', async () => {
    const result = await tree.check('api-report')
    expect(result.output).to.include('sdk/api/index.api.md is absent')
    expect(result.code).to.equal(1)
  })

  it('is content after it was written, and again without the compiler', async () => {
    expect((await tree.node([report, '--write'])).code).to.equal(0)
    expect((await tree.check('api-report')).output).to.match(/^✓ api-report/)
    expect((await tree.check('api-report')).output).to.match(/^✓ api-report: .* \(\d+ ms\)/)
  })

  it('shows a change of the surface', async () => {
    await tree.write('sdk/src/index.ts', '/** A place. @public */\nexport const place: number = 1\n')
    expect((await tree.node(build)).output).to.equal('')
    const result = await tree.check('api-report')
    expect(result.output).to.match(/sdk\/api\/index\.api\.md differs:\s+- export const place: string;\s+\+ export const place: number;/)
    expect(result.output).to.include('api-report.mjs --write')
    expect(result.code).to.equal(1)
  })

  it('refuses exports and members without a doc comment, also when it writes', async () => {
    await tree.write(
      'sdk/src/index.ts',
      [
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
        '',
      ].join('\n'),
    )
    expect((await tree.node(build)).output).to.equal('')
    const written = await tree.node([report, '--write'])
    expect(written.code).to.equal(1)
    const result = await tree.check('api-report')
    expect(result.code).to.equal(1)
    for (const { output } of [written, result]) {
      expect(output).to.include('index.api.md: Place: readonly height: number; has no doc comment')
      expect(output).to.include('index.api.md: Place: move(): void; has no doc comment')
      expect(output).to.include('index.api.md: here has no doc comment')
      expect(output.match(/has no doc comment/g)).to.have.length(3)
    }
  })

  it('is content again once they have one', async () => {
    await tree.write('sdk/src/index.ts', '/** Here. */\nexport const here = 1\n')
    expect((await tree.node(build)).output).to.equal('')
    expect(await tree.node([report, '--write'])).to.include({ code: 0, output: '' })
    expect((await tree.check('api-report')).output).to.match(/^✓ api-report/)
  })

  it('names a report without an entry point', async () => {
    expect((await tree.node([report, '--write'])).code).to.equal(0)
    await tree.write('sdk/api/gone.api.md', 'gone\n')
    const result = await tree.check('api-report')
    expect(result.output).to.include('sdk/api/gone.api.md belongs to no entry point')
    expect(result.code).to.equal(1)
  })
})
