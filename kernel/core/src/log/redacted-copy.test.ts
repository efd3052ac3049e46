import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { createRedactor } from './create-redactor.js'

const canary = 'kanarienvogel-4711'

describe('redactor: fields', () => {
  const redactor = createRedactor()
  const textOf = (value: unknown): string => JSON.stringify(redactor.fields(value))

  it('masks members of secret names at every depth and in every spelling', () => {
    const names = [
      ...['authorization', 'Authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key', 'api_key', 'apiKey', 'API_KEY'],
      ...[
        'password',
        'current_password',
        'newPassword',
        'encryption_secret',
        'client_secret',
        'access_token',
        'refreshToken',
        'token',
        'setup_code',
      ],
      ...[
        'telephony_account_sid',
        'telephony_auth_token',
        'vaultone_service_account_token',
        'vaulttwo_client_id',
        'vaulttwo_client_secret',
      ],
      ...['vaulttwo_master_password', 'vaultthree_token', 'vaultfour_password', 'private_key', 'database_url', 'aws_secret_access_key'],
    ]
    for (const name of names) {
      expect(textOf({ a: [{ b: { [name]: canary } }] }), name).to.equal(`{"a":[{"b":{"${name}":"[redacted]"}}]}`)
      expect(textOf({ [name]: { deep: canary } }), name).to.not.contain(canary)
      expect(textOf({ [name]: [canary] }), name).to.not.contain(canary)
    }
    expect(textOf({ password: 12345678 })).to.equal('{"password":"[redacted]"}')
  })

  it('keeps counts, flags and members with similar names', () => {
    const value = { max_tokens: 5, first_token: 12, has_password: true, token: null, key: 'k', client_id: 'public', tokens: ['t'] }
    expect(redactor.fields(value)).to.deep.equal(value)
  })

  it('masks pairs of a name and a value', () => {
    const values: readonly unknown[] = [
      ['Host', 'x', 'Authorization', canary],
      [['authorization', canary]],
      { name: 'authorization', value: canary },
      new Map([['api_key', canary]]),
      new Headers({ cookie: canary }),
      new URLSearchParams({ token: canary }),
      new URL(`https://user:${canary}@host/?token=${canary}`),
      new Set([`Bearer ${canary}`]),
    ]
    for (const value of values) expect(textOf({ value })).to.not.contain(canary)
  })

  it('does not load the HTTP client of the runtime to detect headers', () => {
    const module = new URL('./redacted-copy.js', import.meta.url).href
    const script = `import { copyFields } from ${JSON.stringify(module)}
      copyFields({ a: [new Map(), new Date(), { b: 1 }] }, (text) => text)
      process.stdout.write(String(process.moduleLoadList.some((name) => name.includes('undici'))))`
    expect(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })).to.equal('false')
  })

  it('masks message, stack, cause and members of errors', () => {
    const inner = Object.assign(new Error(`inner ?token=${canary}`), { config: { headers: { authorization: canary } } })
    const outer = new Error(`outer Bearer ${canary}`, { cause: new AggregateError([inner, `sk-${canary}`], 'several') })
    const copied = redactor.fields({ error: outer })
    expect(JSON.stringify(copied)).to.not.contain(canary)
    expect(copied).to.have.nested.property('error.name', 'Error')
    expect(copied).to.have.nested.property('error.stack').that.contains('redacted-copy.test')
    expect(copied).to.have.nested.property('error.cause.errors[0].message', 'inner ?token=[redacted]')
  })

  it('masks live values in keys, strings and symbols', () => {
    const own = createRedactor()
    own.protect(canary)
    const text = JSON.stringify(own.fields({ [canary]: [canary, Symbol(canary), new RegExp(canary)] }))
    expect(text).to.not.contain(canary)
    expect(text).to.contain('[redacted]')
  })

  it('never throws and always ends', () => {
    const cycle: Record<string, unknown> = { name: 'cycle' }
    cycle['self'] = cycle
    let deep: unknown = 'bottom'
    for (let level = 0; level < 10_000; level++) deep = { deep }
    const refusing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
      },
    )
    const throwing = {
      good: 1,
      get bad(): string {
        throw new Error(canary)
      },
    }
    expect(redactor.fields(cycle)).to.deep.equal({ name: 'cycle', self: '[circular]' })
    expect(redactor.fields(throwing)).to.deep.equal({ good: 1, bad: '[unreadable]' })
    expect(redactor.fields(refusing)).to.equal('[unreadable]')
    expect(textOf(deep)).to.contain('[too deep]')
    expect(
      redactor.fields({ toJSON: 1, when: new Date(Number.NaN), bytes: Buffer.from(canary), big: 10n ** 30n, not: Number.NaN }),
    ).to.deep.equal({
      toJSON: 1,
      when: '[invalid date]',
      bytes: '[18 bytes]',
      big: (10n ** 30n).toString(),
      not: 'NaN',
    })
    expect(redactor.fields(JSON.parse('{"__proto__":{"polluted":true}}'))).to.not.have.property('polluted')
  })

  it('is bounded for any value', () => {
    const wide = Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => ({ text: 'x'.repeat(1000) })))
    expect(textOf(wide).length).to.be.below(600_000)
    expect(textOf({ text: 'x'.repeat(50_000_000) }).length).to.be.below(20_000)
    expect(textOf(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index])))).to.contain('4800 more')
  })

  it('does not change the original', () => {
    const value = { password: canary, nested: { list: [canary] } }
    redactor.fields(value)
    expect(value).to.deep.equal({ password: canary, nested: { list: [canary] } })
  })
})
