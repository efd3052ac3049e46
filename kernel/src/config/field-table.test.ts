import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { kernelSchema } from './compose-schema.js'
import { fieldRows } from './field-table.js'
import { load } from './fixture.test.js'
import { valueAt } from './resolve-paths.js'
import { developmentEncryptionSecret } from './sections/index.js'

/** The fields of the specification, written down by hand: path, type, default. */
const specified: readonly (readonly [string, string, unknown])[] = [
  ['server.port', 'integer', 3001],
  ['server.base_url', 'string', undefined],
  ['server.backend_url', 'string', undefined],
  ['server.frontend_url', 'string', undefined],
  ['server.external_url', 'string', undefined],
  ['server.static_dir', 'string', '/app/static'],
  ['server.issuer_url', 'string', undefined],
  ['server.max_concurrent_tasks', 'integer', 10],
  ['server.sse_pending_events_secs', 'integer', 60],
  ['server.cors_origins', 'string', undefined],
  ['server.max_body_size_bytes', 'integer', 104857600],
  ['server.shutdown_timeout_secs', 'integer', 60],
  ['server.timezone', 'string', undefined],
  ['auth.encryption_secret', 'string', 'a built-in development value'],
  ['auth.access_token_expiry_secs', 'integer', 900],
  ['auth.refresh_token_expiry_secs', 'integer', 604800],
  ['auth.presign_expiry_secs', 'integer', 86400],
  ['auth.ephemeral_token_expiry_secs', 'integer', 300],
  ['auth.allow_registration', 'boolean', true],
  ['database.path', 'string', '{server_data_dir}/db'],
  ['storage.data_dir', 'string', '{server_data_dir}'],
  ['storage.shared_config_dir', 'string', '{installed_resources}'],
  ['storage.skills_dir', 'string', '{server_data_dir}/skills'],
  ['storage.cache_dir', 'string', '{server_data_dir}/system/cache'],
  ['storage.ontology_dir', 'string', '{server_data_dir}/ontology'],
  ['scheduler.poll_secs', 'integer', 60],
  ['cache.entity_ttl_secs', 'integer', 300],
  ['cache.entity_max_capacity', 'integer', 1000],
]

/** The fields that this project adds. */
const added: readonly (readonly [string, string, unknown])[] = [
  ['server.host', 'string', '127.0.0.1'],
  ['server.trusted_proxies', 'string', undefined],
  ['server.log_level', 'debug | info | warn | error', 'info'],
  ['auth.signing_key_rotation_days', 'integer', 90],
  ['auth.data_key_rotation_days', 'integer', 90],
  ['database.driver', 'sqlite | postgres | lowdb', 'sqlite'],
  ['database.url', 'string', undefined],
  ['plugins.sources', 'list of string', '[]'],
  ['plugins.required', 'list of string', '[]'],
  ['plugins.disabled', 'list of string', '[]'],
  ['plugins.settings', 'object', '{}'],
]

const units: Readonly<Record<string, string>> = { _secs: 'seconds', _bytes: 'bytes', _days: 'days' }

describe('fields of the kernel’s sections', () => {
  const rows = fieldRows(kernelSchema)

  it('are those of the specification and the table of additions, no more and no less', () => {
    const expected = [...specified, ...added].map(([path, type, value]) => [path, type, value === undefined ? '' : String(value)])
    const actual = rows.map((row) => [row.path, row.type.replace(/ (from|to) .*$/, ''), row.default])
    expect(actual.sort()).to.deep.equal(expected.sort())
  })

  it('have a description, the unit of their name, and are absent or at their default in an empty configuration', async () => {
    const configuration = await load({ plugins: [] })
    for (const row of rows) {
      expect(row.description, row.path).to.match(/\.$/)
      const ending = Object.keys(units).find((suffix) => row.path.endsWith(suffix))
      expect(row.unit, row.path).to.equal(ending === undefined ? '' : units[ending])
      const value = valueAt(JSON.parse(JSON.stringify(configuration)), row.path.split('.'))
      if (row.default === '') expect(value, row.path).to.equal(undefined)
      else if (row.secret) expect(value, row.path).to.equal(developmentEncryptionSecret)
      else if (!row.default.startsWith('{'))
        expect(typeof value === 'string' ? value : JSON.stringify(value), row.path).to.equal(row.default)
      expect(configuration.sourceOf(row.path), row.path).to.equal('default')
    }
  })

  it('are secret where they hold one', () => {
    expect(rows.filter((row) => row.secret).map((row) => row.path)).to.deep.equal(['auth.encryption_secret', 'database.url'])
  })

  it('stand in the documentation as they are in the schema', () => {
    const page = readFileSync(fileURLToPath(new URL('../../docs/configuration.md', import.meta.url)), 'utf8')
    for (const row of rows) {
      const line = `| \`${row.path}\` | ${row.type.replaceAll('|', '\\|')} | ${row.default === '' ? '—' : `\`${row.default}\``} | ${row.description} |`
      expect(page.includes(line), `missing in kernel/docs/configuration.md:\n${line}`).to.equal(true)
    }
  })
})
