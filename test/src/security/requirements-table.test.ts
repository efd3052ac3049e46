import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const number = String.raw`\d{1,2}\.\d{1,2}\.\d{1,2}`
/** The numbers at the beginning of a test's title. */
const inTitles = new RegExp(String.raw`\bit\(\s*['\x60]((?:${number} )+)`, 'g')
/** The numbers in a table of cases from which titles are made. */
const inTables = new RegExp(String.raw`(?:\bid: |\[|^\s+)'(${number})',`, 'gm')

interface Row {
  readonly number: string
  readonly files: readonly string[]
}

async function readRows(): Promise<readonly Row[]> {
  const page = await readFile(path.join(root, 'kernel/docs/security-requirements.md'), 'utf8')
  return [...page.matchAll(/^\| (\d[\d.]*) \| .+ \| (.+) \|$/gm)].map(([, own = '', files = '']) => ({
    number: own,
    files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }))
}

async function numbersIn(file: string): Promise<ReadonlySet<string>> {
  const source = await readFile(path.join(root, file), 'utf8')
  const titles = [...source.matchAll(inTitles)].flatMap(([, numbers = '']) => numbers.trim().split(' '))
  return new Set([...titles, ...[...source.matchAll(inTables)].map(([, own = '']) => own)])
}

describe('the table of security requirements', () => {
  it('names for each number a test that has it in its title', async () => {
    const rows = (await readRows()).filter((row) => row.number.includes('.'))
    expect(rows.length).to.be.greaterThan(40)
    expect(new Set(rows.map((row) => row.number)).size, 'each number once').to.equal(rows.length)
    for (const row of rows) {
      expect(row.files, row.number).to.not.be.empty
      for (const file of row.files) expect([...(await numbersIn(file))], `${row.number} in ${file}`).to.include(row.number)
    }
  })

  it('has every number that a test has in its title, with that test', async () => {
    const rows = await readRows()
    const listed = new Set(rows.flatMap((row) => row.files.map((file) => `${row.number} in ${file}`)))
    const files: string[] = []
    for (const folder of ['kernel', 'plugins/feature-files/src', 'test/src'])
      for (const name of await readdir(path.join(root, folder), { recursive: true }))
        if (name.endsWith('.test.ts') && !name.startsWith('sso/')) files.push(path.join(folder, name))
    const missing: string[] = []
    for (const file of files) {
      const titles = [...(await readFile(path.join(root, file), 'utf8')).matchAll(inTitles)]
      for (const own of new Set(titles.flatMap(([, numbers = '']) => numbers.trim().split(' '))))
        if (!listed.has(`${own} in ${file}`)) missing.push(`${own} in ${file}`)
    }
    expect(missing).to.deep.equal([])
  })
})

describe('the guarantees of the security page', () => {
  it('name tests that are there', async () => {
    const page = await readFile(path.join(root, 'kernel/docs/security.md'), 'utf8')
    const files = new Set([...page.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, file = '']) => file))
    expect(files.size).to.be.greaterThan(30)
    const missing = [...files].filter((file) => !existsSync(path.join(root, file)))
    expect(missing).to.deep.equal([])
  })
})
