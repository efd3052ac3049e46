import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runWebModules } from '../support/run-web-modules.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

const sourcesBelow = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(root, folder, name, 'src'))
    .flatMap((source) => {
      try {
        return readdirSync(source, { recursive: true, encoding: 'utf8' }).map((file) => path.join(source, file))
      } catch {
        return []
      }
    })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

/** A kind in the source of what writes it: alone, as one of two, as a type, or handed to a function that notes it. */
const written = /(?:\bkind\b[^\n']*|audit\(request, |apply\(|const kind = [^\n']*)((?:'[a-z_]+\.[a-z_]+'(?:[^\n']{1,5}))+)/g
/** Files that write the audit log. */
const writes = /\baudit\b|\bnoteCommand\b|plugin-data-audit/i
/** Kinds of notifications and of events, in files that write the audit log, too. */
const others = /notification|\bid: '|events\.record|\bname: '/

describe('the words of the audit log', () => {
  it('are there for every kind that the service writes, in both languages', async () => {
    const found = new Set<string>()
    for (const file of [...sourcesBelow('kernel'), ...sourcesBelow('plugins')]) {
      const source = readFileSync(file, 'utf8')
      if (!writes.test(source)) continue
      for (const line of source.split('\n').filter((each) => !others.test(each)))
        for (const [, names = ''] of line.matchAll(written)) for (const [, name = ''] of names.matchAll(/'([a-z_.]+)'/g)) found.add(name)
    }
    // Made of a part that is written elsewhere.
    for (const change of ['created', 'edited', 'installed', 'removed']) found.add(`skill.${change}`)
    expect([...found]).to.include.members(['set_up.changed', 'task.created', 'channel.person_denied', 'plugin.disabled', 'policy.deleted'])
    const { kinds } = await runWebModules<{ readonly kinds: Readonly<Record<string, readonly [string, string]>> }>([
      'plugins/feature-console/web/screens/audit/kinds.ts',
    ])
    expect([...found].filter((kind) => kinds[kind] === undefined).sort()).to.deep.equal([])
    expect(Object.values(kinds).filter(([en, de]) => en === '' || de === '' || en === de)).to.deep.equal([])
  })
})
