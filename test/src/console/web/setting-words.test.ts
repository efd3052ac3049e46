import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, openWebModules } from '../support/web-modules.js'

interface Node {
  readonly description?: string
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Node | boolean>>
  readonly patternProperties?: Readonly<Record<string, Node | boolean>>
  readonly additionalProperties?: Node | boolean
  readonly allOf?: readonly Node[]
  readonly then?: Node
}

const schema = JSON.parse(readFileSync(new URL('../../../../resources/config.schema.json', import.meta.url), 'utf8')) as Node

/** The node that a reference leads to, or the node itself. */
function resolve(node: Node): Node {
  const path = node.$ref?.replace('#/', '').split('/') ?? []
  return path.reduce<Node>((inner, name) => (inner as Readonly<Record<string, Node>>)[name] ?? {}, path.length === 0 ? node : schema)
}

/** The paths of everything that has a description, with `*` for entries that people or brands name. */
function described(given: Node, path: readonly string[], found: Set<string>, around: readonly Node[] = []): void {
  const node = resolve(given)
  if (around.includes(node)) return
  const inner = [...around, node]
  if (node.description !== undefined && !given.description?.startsWith('Entry of ')) found.add(path.join('.'))
  for (const [name, member] of Object.entries(node.properties ?? {})) {
    const isBrand = path.length === 1 && path[0] === 'providers'
    if (typeof member === 'object') described(member, [...path, isBrand ? '*' : name], found, inner)
  }
  for (const entry of [...Object.values(node.patternProperties ?? {}), node.additionalProperties])
    if (typeof entry === 'object') described(entry, [...path, '*'], found, inner)
  for (const part of [...(node.allOf ?? []), ...(node.then ? [node.then] : [])]) described(part, path, found, inner)
}

describe('the German words of settings', function () {
  this.timeout(30_000)
  let page: Page
  after(() => closeBrowser())

  it('describe every setting and section of the schema, and nothing else', async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    await openWebModules(page, await bundleWebModules(['plugins/feature-console/web/settings/words/descriptions-de.ts']))
    const words = (await page.evaluate('web.germanDescriptions')) as Readonly<Record<string, string>>
    const wanted = new Set<string>()
    described(schema, [], wanted)
    wanted.delete('')
    // Entries themselves have no line of their own.
    const names = [...wanted].filter((path) => !path.endsWith('.*'))
    expect(names.filter((path) => words[path] === undefined)).to.deep.equal([])
    expect(Object.keys(words).filter((path) => !wanted.has(path))).to.deep.equal([])
  })
})
