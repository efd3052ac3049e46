import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { filePatternsOf } from './file-patterns.js'

const patternsOf = (...texts: readonly string[]) => filePatternsOf(texts.map((text, index) => ({ id: `p${index}`, text })))
const forbid = (condition: string): string => `forbid (principal, action == Action::"read_file", resource is File) when { ${condition} };`

describe('the patterns of files in policies', () => {
  for (const [what, text, patterns] of [
    ['a pattern with wildcards', forbid('resource.path like "a/*.md"'), [['a/', '.md']]],
    ['a star that is no wildcard', forbid('resource.path like "a\\*b*"'), [['a*b', '']]],
    ['one that stands for everything', forbid('resource.path like "*"'), [['', '']]],
    ['paths that are compared', forbid('resource.path == "a" || "b" != resource.path'), [['a'], ['b']]],
    ['a list of paths', forbid('["a", "b"].contains(resource.path)'), [['a'], ['b']]],
    ['files by their ids', forbid('resource == File::"a" || resource in File::"b" || resource in [File::"c"]'), [['a'], ['b'], ['c']]],
    ['the same pattern twice', forbid('resource.path like "a*" && !(resource.path like "a*")'), [['a', '']]],
    ['conditions in conditions', forbid('if principal in User::"x" then resource.path like "a*" else resource has owner'), [['a', '']]],
    ['what is said about owners alone', forbid('resource has owner && resource.owner == principal && resource is File'), []],
    ['a file in the scope', 'permit (principal, action, resource == File::"a");', [['a']]],
    ['a file in the scope, with its type', 'permit (principal, action, resource is File in File::"a");', [['a']]],
    [
      'an action that is about other things',
      'permit (principal, action == Action::"connect", resource) when { resource.host like "a*" };',
      [],
    ],
    ['another type of resource', 'permit (principal, action, resource is Route) when { resource.path like "a*" };', []],
  ] as const) {
    it(`are known for ${what}`, () => {
      expect(patternsOf(text)).to.deep.equal(patterns)
    })
  }

  for (const [what, condition] of [
    ['a path compared with something of the principal', 'resource.path == principal.handle'],
    ['a path compared with something of the context', 'context.paths.contains(resource.path)'],
    ['a path in a record', '{ path: resource.path }.path like "a*"'],
    ['the file in a record', '{ file: resource }.file.path like "a*"'],
    ['a file compared with one of the context', 'resource == context.file'],
    ['a path chosen by a condition', '(if principal has handle then resource.path else "x") like "a*"'],
  ] as const) {
    it(`are not known for ${what}`, () => {
      expect(patternsOf(forbid(condition))).to.equal(undefined)
      expect(patternsOf('permit (principal, action, resource);', forbid(condition))).to.equal(undefined)
    })
  }

  it('are not known for a text that is no policy', () => {
    expect(patternsOf('nonsense')).to.equal(undefined)
  })

  it('of the shipped policies are those of workspaces alone', async () => {
    const folder = fileURLToPath(new URL('../../../resources/policy/', import.meta.url))
    const files = (await readdir(folder)).filter((name) => name.endsWith('.cedar'))
    const texts = await Promise.all(files.map((name) => readFile(folder + name, 'utf8')))
    const policies = texts.flatMap((text) => text.split(/^(?=@id)/m)).filter((text) => text.trim() !== '')
    expect(patternsOf(...policies)).to.deep.equal([['workspaces/', '']])
  })
})
