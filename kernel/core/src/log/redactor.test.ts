import { expect } from 'chai'
import { createRedactor } from './create-redactor.js'

const canary = 'kanarienvogel-4711'

describe('redactor: text', () => {
  it('masks text with the form of a secret', () => {
    const redactor = createRedactor()
    const cases: readonly (readonly [string, string])[] = [
      ['call with Bearer abcdef.ghijkl failed', 'call with Bearer [redacted] failed'],
      ['basic dXNlcjpwYXNzd29yZA== sent', 'basic [redacted] sent'],
      ['token svc_pat_0123456789abcdefghijABCDEFGHIJ123456.', 'token [redacted].'],
      ['jwt eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl end', 'jwt [redacted] end'],
      ['key sk-proj-abcdefgh12345678 end', 'key [redacted] end'],
      ['GET /api/events?token=abc&chat_id=7', 'GET /api/events?token=[redacted]&chat_id=7'],
      ['https://host/f?presign=x.y.z&path=a', 'https://host/f?presign=[redacted]&path=a'],
      ['https://api.example/v1?key=AIzaSyX', 'https://api.example/v1?key=[redacted]'],
      ['postgres://user:pass@db:5432/x', 'postgres://[redacted]@db:5432/x'],
      ['grant_type=x&client_secret=abc&scope=y', 'grant_type=x&client_secret=[redacted]&scope=y'],
      ['body {"api_key":"abc","model":"m"}', 'body {"api_key":"[redacted]","model":"m"}'],
      ['body "{\\"password\\": \\"abc\\"}"', 'body "{\\"password\\": \\"[redacted]\\"}"'],
      ['Cookie: refresh_token=a; b=c\nHost: x', 'Cookie: [redacted]\nHost: x'],
      ['Authorization: Digest abc', 'Authorization: [redacted]'],
      ['-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----', '[redacted]'],
    ]
    for (const [text, expected] of cases) expect(redactor.text(text), text).to.equal(expected)
  })

  it('does not change ordinary text', () => {
    const redactor = createRedactor()
    const ordinary = [
      'max_tokens=100 input_tokens: 7, task-12345678 ended',
      'https://host/path?limit=3&cursor=abc mailto:a@b.example',
      '{"monkey":"see","tokens":"5"}',
      'the bearer of news',
      '',
    ]
    for (const text of ordinary) expect(redactor.text(text)).to.equal(text)
  })

  it('masks live values anywhere in a text, in one pass, longest first', () => {
    const redactor = createRedactor({ pinned: ['pinned-value'] })
    redactor.protect('abcdef')
    redactor.protect('abcdefghij')
    redactor.protect('a b/c"d')
    redactor.protect('short')
    expect(redactor.text('xabcdefghijx abcdef abcdefabcdef pinned-value')).to.equal(
      'x[redacted]x [redacted] [redacted][redacted] [redacted]',
    )
    expect(redactor.text('?x=a%20b%2Fc%22d')).to.equal('?x=[redacted]')
    expect(redactor.text(JSON.stringify('a b/c"d'))).to.equal('"[redacted]"')
    expect(redactor.text(Buffer.from('abcdefghij').toString('base64'))).to.equal('[redacted]')
    expect(redactor.text('short')).to.equal('short')
  })

  it('keeps so many live values as have room, the newest, and those that are pinned', () => {
    const redactor = createRedactor({ pinned: ['pinned-value'] })
    const long = (number: number): string => `${number}-${'x'.repeat(16_000)}-${number}`
    redactor.protect('the-first-value')
    for (let number = 1_000; number < 1_300; number += 1) redactor.protect(long(number))
    expect(redactor.text('the-first-value, pinned-value')).to.equal('the-first-value, [redacted]')
    expect(redactor.text(long(1_299))).to.equal('[redacted]')
  })

  it('masks a text as a whole that takes too long to compare with values made for that', () => {
    const redactor = createRedactor()
    for (let number = 0; number < 300; number += 1) redactor.protect(`${'a'.repeat(6)}${'b'.repeat(number * 5 + 1)}`)
    const text = redactor.text(`begins ${'a'.repeat(3_000)} ends`)
    expect(text).to.match(/^begins a*\[redacted\]$/)
  })

  it('16.2.5 masks live values in hexadecimal, and in base64 in the middle of a longer text', () => {
    const redactor = createRedactor({ pinned: [`${canary} of the configuration`] })
    for (const before of ['', 'a', 'ab', 'the key '])
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        const encoded = Buffer.from(`${before}${canary} of the configuration and more`).toString(encoding)
        for (const text of [encoded, encoding === 'hex' ? encoded.toUpperCase() : encoded]) {
          const masked = redactor.text(`error: ${text}`)
          expect(masked, text).to.contain('[redacted]')
          expect(Buffer.from(masked.slice(7).split('[redacted]')[0] ?? '', encoding).toString('latin1')).to.not.contain('kana')
        }
      }
    // The invariant part of a short value in base64 would also match unrelated texts.
    redactor.protect('secrets')
    expect(redactor.text('c2VjcmV0YXJ5')).to.equal('c2VjcmV0YXJ5')
  })

  it('finds any value among many, at any position', () => {
    const redactor = createRedactor()
    const values = Array.from({ length: 500 }, (_, index) => `válue-${(index * 7919).toString(36)}-${'€'.repeat(index % 5)}-end`)
    for (const value of values) redactor.protect(value)
    for (const value of values) {
      const masked = redactor.text(`${'x'.repeat(value.length % 13)}${value}${value}y`)
      expect(masked).to.equal(`${'x'.repeat(value.length % 13)}[redacted][redacted]y`)
    }
  })

  it('removes the value protected longest ago beyond its capacity, but never a pinned one', () => {
    const redactor = createRedactor({ capacity: 2, pinned: ['always-masked'] })
    for (const value of ['value-1', 'value-2', 'value-1', 'value-3']) redactor.protect(value)
    expect(redactor.text('value-1 value-2 value-3 always-masked')).to.equal('[redacted] value-2 [redacted] [redacted]')
  })

  it('cuts long text without leaving a part of a secret at the cut', () => {
    const redactor = createRedactor({ pinned: [canary.repeat(50)] })
    for (let before = 16_384 - 40; before <= 16_384; before++) {
      const cut = redactor.text(`${'x'.repeat(before)} Bearer ${canary}${canary} ${'y'.repeat(5000)}`)
      expect(cut).to.not.contain('kanarien')
      expect(cut).to.match(/ characters\]$/)
    }
    expect(redactor.text(`${'x'.repeat(16_380)}${canary.repeat(50)}`)).to.not.contain('kana')
  })

  it('takes time in proportion to the text, whatever the text', () => {
    const redactor = createRedactor()
    for (let index = 0; index < 5000; index++) redactor.protect(`aaaaaaaaaa${index}`)
    const hostile = [
      'a'.repeat(16_000),
      '"a'.repeat(8000),
      '://'.repeat(5000),
      'a='.repeat(8000),
      'bearer '.repeat(2000),
      '\\"'.repeat(8000),
      '-----BEGIN '.repeat(1400),
    ]
    for (const text of hostile) {
      // Processor time, which other programs on the machine do not affect.
      const started = process.cpuUsage()
      redactor.text(text)
      expect(process.cpuUsage(started).user / 1000, text.slice(0, 20)).to.be.below(250)
    }
  })
})
