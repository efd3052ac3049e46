import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { auditKindPattern, auditKinds } from './audit-records.js'

const page = new URL('../../../docs/operations.md', import.meta.url)

describe('the kinds of the audit log', () => {
  it('all have the form of kinds, and are documented', async () => {
    const text = await readFile(page, 'utf8')
    for (const kind of auditKinds) {
      expect(kind).to.match(new RegExp(auditKindPattern))
      expect(text, kind).to.contain(`\`${kind}\``)
    }
  })
})
