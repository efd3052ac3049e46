import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'chai'
import SqliteDatabase, { sqliteLibraryFor } from './sqlite-library.js'

describe('the SQLite library', () => {
  it('is release 12 for a Node without Node-API 10, and release 13 for every later one', () => {
    const releaseOf = (nodeApi: string | undefined): string => {
      const { optionalDependencies } = createRequire(import.meta.url)('../package.json') as {
        readonly optionalDependencies: Readonly<Record<string, string>>
      }
      return optionalDependencies[sqliteLibraryFor(nodeApi)] ?? ''
    }
    expect(['8', '9'].map(releaseOf)).to.deep.equal(['12.11.1', '12.11.1'])
    expect(['10', '11', '100'].map(releaseOf)).to.deep.equal(Array(3).fill('npm:better-sqlite3@13.2.0'))
  })

  it('is the one that was loaded, and works', () => {
    const file = createRequire(import.meta.url).resolve(`${sqliteLibraryFor(process.versions['napi'])}/package.json`)
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
    expect(version.split('.')[0]).to.equal(Number(process.versions['napi']) >= 10 ? '13' : '12')
    const database = new SqliteDatabase(':memory:')
    expect(database.prepare('SELECT 1 + 1').pluck().get()).to.equal(2)
    database.close()
  })
})
