import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { sdkFolder } from './compile-snippets.test.js'
import { projectFiles } from './init/project-files.js'

/** The ids in the first column of the page's tables, where they are code. */
async function idsOnPage(heading: string): Promise<readonly string[]> {
  const page = await readFile(path.join(sdkFolder, 'docs/README.md'), 'utf8')
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  return [...section.matchAll(/^\| \[?`([^`]+)`/gm)].map(([, id = '']) => id).sort()
}

/** What the sources under a folder define, by the expression's first group. */
async function idsInSources(folder: string, definition: RegExp): Promise<readonly string[]> {
  const files = (await readdir(path.join(sdkFolder, 'src', folder), { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const texts = await Promise.all(files.map((name) => readFile(path.join(sdkFolder, 'src', folder, name), 'utf8')))
  return texts.flatMap((text) => [...text.matchAll(definition)].map(([, id = '']) => id)).sort()
}

describe('the interfaces on one page', () => {
  it('are all points that the SDK defines', async () => {
    const defined = await idsInSources('contracts', /defineContributionPoint<[^(]*>\(\)\(\{\s*id: '([^']+)'/g)
    expect(defined).to.include('tool')
    expect(await idsOnPage('Points')).to.deep.equal(defined)
  })

  it('are all services that the SDK defines', async () => {
    const defined = await idsInSources('services', /defineServiceReference<[^(]*>\(\)\(\s*'([^']+)'/g)
    expect(defined).to.include('runs')
    expect(await idsOnPage('Services')).to.deep.equal(defined)
  })

  it('lead to existing pages', async () => {
    const page = await readFile(path.join(sdkFolder, 'docs/README.md'), 'utf8')
    const links = [...page.matchAll(/\]\(([^)#]+\.md)\)/g)].map(([, link = '']) => link)
    const pages = (await readdir(path.join(sdkFolder, 'docs'), { recursive: true })).filter((name) => name.endsWith('.md'))
    expect(links.filter((link) => !pages.includes(link))).to.deep.equal([])
    const points = pages.filter((name) => name.startsWith('points/'))
    expect(points.filter((name) => !links.includes(name))).to.deep.equal([])
  })

  it('name every entry point of the package', async () => {
    const { exports } = JSON.parse(await readFile(path.join(sdkFolder, 'package.json'), 'utf8')) as { readonly exports: object }
    const entries = Object.keys(exports).filter((entry) => !entry.includes('*') && entry !== './package.json')
    expect(await idsOnPage('Kits and tools')).to.deep.equal(entries.map((entry) => `@agent-service/sdk${entry.slice(1)}`).sort())
  })

  it('have a suite for each point, or say on its page that there is none', async () => {
    const index = await readFile(path.join(sdkFolder, 'src/testing/index.ts'), 'utf8')
    const open: string[] = []
    for (const id of await idsOnPage('Points')) {
      const name = id.replaceAll('.', '-')
      const suite = `describe${name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase()).replace('Websocket', 'WebSocket')}`
      const page = await readFile(path.join(sdkFolder, 'docs/points', `${name}.md`), 'utf8')
      const hasSuite = index.includes(`'./describe-${name}/index.js'`) && page.includes(suite)
      if (!hasSuite && !/There is no suite: /.test(page)) open.push(`${id}: ${suite}`)
    }
    expect(open).to.deep.equal([])
  })

  it('show the adapter that “init provider” begins with', async () => {
    const page = await readFile(path.join(sdkFolder, 'docs/provider-kit.md'), 'utf8')
    const shown = Object.fromEntries([...page.matchAll(/^```ts file=(\S+)\n([\s\S]*?)^```$/gm)].map(([, file = '', text]) => [file, text]))
    const { 'src/index.ts': index, 'src/index.test.ts': test } = projectFiles('provider', 'provider-house')
    expect(shown).to.deep.equal({ 'src/index.ts': index, 'src/index.test.ts': test })
  })
})
