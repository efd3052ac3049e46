import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { anchorsOf, findDeadLinks, listPages } from './markdown-links.js'
import { repositoryRoot } from './repository-tree.js'

const manifestOf = async (folder: string): Promise<{ readonly files: readonly string[] }> =>
  JSON.parse(await readFile(path.join(repositoryRoot, folder, 'package.json'), 'utf8'))

describe('the links between the pages of the repository', () => {
  it('lead to files and headings that exist, and within the packed SDK for those of the SDK', async () => {
    const pages = await listPages(repositoryRoot)
    expect(pages).to.include.members(['README.md', 'CONTRIBUTING.md', 'sdk/docs/README.md', 'kernel/docs/agents.md'])
    const { files } = await manifestOf('sdk')
    const dead = await findDeadLinks(repositoryRoot, pages, { sdk: ['README.md', 'package.json', ...files] })
    expect(dead.map(({ place, link, reason }) => `${place}: ${link}: ${reason}`)).to.deep.equal([])
  })
})

describe('findDeadLinks', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'links-'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  it('finds what is gone, what has another heading, and what a package leaves behind', async () => {
    await mkdir(path.join(root, 'kit/docs'), { recursive: true })
    await writeFile(path.join(root, 'guide.md'), '# Guide\n\n## What `it` is, exactly\n\n## Twice\n\n## Twice\n')
    const links = ['../../gone.md', '../../guide.md#what-is-it', '../../guide.md', '#here', '#there', '../../../out.md']
    const lines = [
      ...links.map((link) => `[a \`word\`](${link}) [web](https://example.org/x)`),
      '`[code](code.md)`',
      '```',
      '[b](b.md)',
      '```',
    ]
    await writeFile(path.join(root, 'kit/docs/page.md'), ['# Here', ...lines, '[below]: below.md'].join('\n'))
    await writeFile(
      path.join(root, 'read.md'),
      '[1](guide.md#what-it-is-exactly) [2](guide.md#twice-1) [3](guide.md#twice-2) [4](kit/docs)',
    )
    const dead = await findDeadLinks(root, await listPages(root), { kit: ['docs'] })
    expect(dead.map(({ place, link, reason }) => `${place} ${link} ${reason}`)).to.deep.equal([
      'kit/docs/page.md:2 ../../gone.md no such file',
      'kit/docs/page.md:3 ../../guide.md#what-is-it not in the package',
      'kit/docs/page.md:4 ../../guide.md not in the package',
      'kit/docs/page.md:6 #there no such heading',
      'kit/docs/page.md:7 ../../../out.md no such file',
      'kit/docs/page.md:12 below.md no such file',
      'read.md:1 guide.md#twice-2 no such heading',
    ])
  })

  it('makes anchors as GitHub does', () => {
    const page =
      '# `tool.source`: come & go\n## E-mail (SMTP) – what now?\n## A [link](x.md)\n## snake_case\n```\n# code\n```\n## Größe ##\n'
    expect([...anchorsOf(page)]).to.deep.equal(['toolsource-come--go', 'e-mail-smtp--what-now', 'a-link', 'snake_case', 'größe'])
  })
})
