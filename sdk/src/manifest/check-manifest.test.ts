import { expect } from 'chai'
import { Type } from '../core/type.js'
import { checkManifest, checkManifestFile } from './check-manifest.js'
import { compareManifests } from './compare-manifests.js'
import type { PluginManifest } from './plugin-manifest.js'

const valid: PluginManifest = {
  id: 'tool-dice',
  apiVersion: 1,
  contributes: ['tool'],
  requires: ['inference'],
  config: Type.Object({ sides: Type.Integer({ default: 6, minimum: 2 }) }),
  permissions: [{ kind: 'network', targets: ['example.org'], reason: 'Rolls the dice elsewhere.' }],
}
const file = { ...JSON.parse(JSON.stringify(valid)), version: '1.0.0', entry: './index.js' }

const problemsOf = (value: unknown): readonly string[] => {
  const check = checkManifest(value)
  return 'problems' in check ? check.problems.map(({ path, message }) => `${path}: ${message}`) : []
}

describe('checkManifest', () => {
  it('accepts a manifest of code and the file that was made from it', () => {
    expect(checkManifest(valid)).to.deep.equal({ manifest: valid })
    expect(checkManifestFile(file)).to.deep.equal({ manifest: file })
  })

  for (const id of ['x', 'Tool', 'tool_dice', '-tool', 'tool-', 'tool--dice', '1tool', '../tool', 'a'.repeat(65)]) {
    it(`refuses the id “${id}”`, () => {
      expect(problemsOf({ ...valid, id }).join()).to.match(/^\/id: /)
    })
  }

  for (const path of [
    '../rules.js',
    './../rules.js',
    '/rules.js',
    'a/../rules.js',
    './.hidden.js',
    'rules.ts',
    'a//b.js',
    'a\\b.js',
    'http://x/y.js',
  ]) {
    it(`refuses “${path}” as a path`, () => {
      expect(problemsOf({ ...valid, rules: path }).join()).to.match(/^\/rules: /)
      expect(checkManifestFile({ ...file, entry: path })).to.have.nested.property('problems[0].path', '/entry')
    })
  }

  for (const prefix of ['api/chats', '/api/', '/', '/api/../x', '/api//x', '/api/{id}', '/api/%2e']) {
    it(`refuses “${prefix}” as a prefix of routes`, () => {
      expect(problemsOf({ ...valid, routes: [prefix] }).join()).to.match(/^\/routes\/0: /)
    })
  }

  for (const host of ['docs.localhost', '*.localhost', '*.{app.host}', '{app.host}', 'a-b.example.org']) {
    it(`takes “${host}” as a host`, () => {
      expect(problemsOf({ ...valid, hosts: [host] })).to.deep.equal([])
    })
  }
  for (const host of [
    '*',
    '*.',
    '*.*.x',
    'a.*.x',
    'Docs.localhost',
    'docs.localhost:80',
    'http://x',
    '{app}.{host}',
    '{app.host}.x',
    '-a.x',
    '',
  ]) {
    it(`refuses “${host}” as a host`, () => {
      expect(problemsOf({ ...valid, hosts: [host] }).join()).to.match(/^\/hosts\/0: /)
    })
  }

  it('takes up to eight ids that the plugin had before, each valid, none its own', () => {
    const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `old-${'x'.repeat(n + 1)}`)
    expect(problemsOf({ ...valid, renamedFrom: ids(8) })).to.deep.equal([])
    expect(problemsOf({ ...valid, renamedFrom: ids(9) }).join()).to.match(/^\/renamedFrom: /)
    expect(problemsOf({ ...valid, renamedFrom: ['Old'] }).join()).to.match(/^\/renamedFrom\/0: /)
    expect(problemsOf({ ...valid, renamedFrom: ['old-x', valid.id] }).join()).to.match(/^\/renamedFrom\/1: .*list earlier ones only/)
  })

  it('names every problem at once', () => {
    const problems = problemsOf({ id: 'A', apiVersion: 1, contributes: 'tool', colour: 'red', permissions: [{ kind: 'soul' }] })
    for (const path of ['/id', '/contributes', '/colour', '/permissions/0/kind', '/permissions/0/reason']) {
      expect(
        problems.filter((problem) => problem.startsWith(`${path}: `)),
        path,
      ).to.have.length(1)
    }
  })

  it('recommends an update or an older version for another apiVersion', () => {
    expect(problemsOf({ ...valid, apiVersion: 2 })).to.deep.equal([
      '/apiVersion: is 2, and this version of the service supports 1: update the service, or install an older version of the plugin',
    ])
    expect(problemsOf({ ...valid, apiVersion: 0 }).join()).to.match(/newer version of the plugin/)
  })

  it('refuses config beside sections, services of the kernel as provided, and lists that contradict each other', () => {
    expect(problemsOf({ ...valid, sections: { dice: Type.Object({}) } }).join()).to.match(/^\/config: must be absent/)
    expect(problemsOf({ ...valid, provides: ['kernel.clock'] }).join()).to.match(/^\/provides\/0: .*reserved/)
    expect(problemsOf({ ...valid, provides: ['inference'] }).join()).to.match(/^\/requires\/0: /)
    expect(problemsOf({ ...valid, optional: ['inference'] }).join()).to.match(/^\/optional\/0: /)
  })

  it('refuses schemas that do not survive JSON, in any position', () => {
    const bad = { type: 'object', not: {} }
    expect(problemsOf({ ...valid, config: bad }).join()).to.match(/^\/config\/not: /)
    expect(problemsOf({ ...valid, config: { type: 'string' } }).join()).to.match(/^\/config: must be the schema of an object/)
    expect(problemsOf({ id: 'ab', apiVersion: 1, sections: { dice: bad } }).join()).to.match(/^\/sections\/dice\/not: /)
    expect(problemsOf({ ...valid, extends: [{ section: 'models', place: 'p', variant: 'v', schema: bad }] }).join()).to.match(
      /^\/extends\/0\/schema\/not: /,
    )
  })

  it('refuses what is not an object', () => {
    for (const value of [null, [], 'x', undefined, 1]) expect(problemsOf(value)).to.deep.equal(['/: must be an object'])
  })

  it('wants an entry unless the stage is “declared”', () => {
    const { entry: _entry, ...without } = file
    expect(checkManifestFile(without)).to.have.nested.property('problems[0].path', '/entry')
    expect(checkManifestFile({ ...without, stage: 'declared' })).to.have.property('manifest')
    expect(checkManifestFile({ ...file, stage: 'declared' })).to.have.nested.property('problems[0].path', '/entry')
  })
})

describe('events and storage of a manifest', () => {
  const problemsOf = (members: object): readonly string[] => {
    const result = checkManifest({ ...valid, ...members })
    return 'problems' in result ? result.problems.map(({ path, message }) => `${path} ${message}`) : []
  }
  const rolled = { description: 'A die was rolled.', schema: Type.Object({ sides: Type.Integer() }) }

  it('are plain data with a name, a sentence and the schema of an object', () => {
    expect(problemsOf({ events: { 'dice.rolled': rolled }, storage: { subsystems: ['dice'], uses: ['workspaces'] } })).to.deep.equal([])
    expect(problemsOf({ events: { rolled } })[0]).to.match(/^\/events\/rolled /)
    expect(problemsOf({ events: { 'dice.rolled': { schema: rolled.schema } } })[0]).to.match(/description is required/)
    expect(problemsOf({ events: { 'dice.rolled': { ...rolled, schema: Type.String() } } })[0]).to.match(
      /schema must be the schema of an object/,
    )
    expect(problemsOf({ events: { 'dice.rolled': { ...rolled, schema: { type: 'object', contains: {} } } } })[0]).to.match(
      /“contains” is not among/,
    )
  })

  it('name a subsystem once', () => {
    expect(problemsOf({ storage: { subsystems: ['dice'], uses: ['dice'] } })).to.deep.equal([
      '/storage/uses/0 “dice” is listed in “subsystems” too',
    ])
    expect(problemsOf({ storage: { subsystems: ['../etc'] } })[0]).to.match(/^\/storage\/subsystems\/0 /)
  })
})

describe('compareManifests', () => {
  it('does not depend on the order of members', () => {
    const reversed = Object.fromEntries(Object.entries(file).reverse())
    const check = checkManifestFile(reversed)
    expect('manifest' in check && compareManifests(valid, check.manifest)).to.deep.equal([])
  })

  it('lists the members that differ', () => {
    const check = checkManifestFile({ ...file, contributes: ['tool', 'http.route'], description: 'New.' })
    expect('manifest' in check && compareManifests(valid, check.manifest)).to.deep.equal(['contributes', 'description'])
  })
})
