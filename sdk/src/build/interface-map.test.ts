import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { sdkFolder } from './compile-snippets.test.js'

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
})
