import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { repositoryRoot } from './repository-tree.js'

interface Row {
  readonly question: string
  readonly paths: readonly string[]
}

async function readRows(): Promise<readonly Row[]> {
  const page = await readFile(path.join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = /^### Where things are\n([\s\S]*?)^##/m.exec(page) ?? []
  return [...section.matchAll(/^\| (.+\?) \| (.+) \|$/gm)].map(([, question = '', answer = '']) => ({
    question,
    paths: [...answer.matchAll(/`([^`]+)`/g)].map(([, named = '']) => named),
  }))
}

describe('“Where things are” in CONTRIBUTING.md', () => {
  it('answers 20 questions or more, each with at least one path', async () => {
    const rows = await readRows()
    expect(rows.length).to.be.at.least(20)
    expect(rows.filter(({ paths }) => paths.length === 0)).to.deep.equal([])
  })

  it('names only files and folders that exist', async () => {
    const named = (await readRows()).flatMap(({ paths }) => paths)
    const missing = named.filter((file) => !existsSync(path.join(repositoryRoot, file)))
    expect(missing).to.deep.equal([])
  })
})
