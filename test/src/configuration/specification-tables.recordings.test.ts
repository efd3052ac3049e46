import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { fixturesFolder } from '../support/recordings.js'
import { specification } from './support/specification.js'
import { fieldRowsIn, typedPropertiesIn } from './support/specification-tables.js'

const page = path.join(fixturesFolder, '../spec/service.md')

const families: Readonly<Record<string, readonly string[]>> = {
  adapter_alpha: ['completions', 'responses'],
  adapter_beta: ['anthropic-messages'],
  adapter_gamma: ['google-generate-content'],
  adapter_delta: ['amazon-bedrock-converse'],
  adapter_zeta: ['ollama'],
}

// The page is not a recording: it lies beside them in some places only.
if (existsSync(page)) {
  describe('the list of fields, held against the tables of the specification', () => {
    const markdown = readFileSync(page, 'utf8')

    it('has every field in the order of the tables, with its type', () => {
      const plain = (type: string): string => type.replace(/ \(.*$/, '').replace('UUID string', 'string')
      const written = fieldRowsIn(markdown).map(({ section, field, type }) => `${section}.${field} ${plain(type)}`)
      const listed = specification.fields.map(({ section, field, type }) => `${section}.${field.replace(/^<[a-z]+>\./, '')} ${type}`)
      expect(written).to.have.length.greaterThan(100)
      expect(listed).to.deep.equal(written)
    })

    it('has every default', () => {
      fieldRowsIn(markdown).forEach((row, index) => {
        const field = specification.fields[index]
        const name = `${row.section}.${row.field}`
        if (row.default === '--' || row.default === 'unset') {
          expect([field?.default, field?.default_text, field?.required], name).to.deep.equal([undefined, undefined, undefined])
        } else if (row.default === 'required') expect(field?.required, name).to.equal(true)
        else expect(row.default, name).to.match(asWritten(field?.default ?? field?.default_text, row.default))
      })
    })

    it('has every setting that is typed by protocol', () => {
      for (const [adapter, properties] of typedPropertiesIn(markdown)) {
        const listed = specification.typed_properties.filter(({ protocols }) => protocols.some((one) => families[adapter]?.includes(one)))
        expect(
          listed.map(({ field }) => field),
          adapter,
        ).to.deep.equal([...properties.keys()].filter((name) => name !== 'api'))
        for (const { field, type } of listed) expect(['', type], `${adapter} ${field}`).to.include(properties.get(field))
      }
    })
  })
}

/**
 * `604800 (7 days)`, `` `openid email` ``, `2.0`, `` `{SERVICE_SERVER_DATA_DIR}/db` (data/db) ``,
 * and a text as it is.
 */
function asWritten(value: unknown, written: string): RegExp {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const literal = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (typeof value === 'number') return new RegExp(`^${literal}(\\.0)?( \\(.*\\))?$`)
  if (written.includes('{SERVICE_SERVER_DATA_DIR}')) return new RegExp(`\\(${literal}\\)$`)
  return new RegExp(`^\`?${literal}\`?( for existing installations;.*)?$`)
}
