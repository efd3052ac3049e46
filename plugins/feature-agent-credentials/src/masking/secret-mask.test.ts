import { readdir, readFile } from 'node:fs/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { spells } from '../test-support/spell.js'
import { compileMatcher, type Matcher } from './matcher/compile-matcher.js'
import { scanText } from './matcher/scan-text.js'
import { createSecretMask } from './secret-mask.js'

const token = 'Xq7Lm2Zp9Rt4Vw8Ks3Nd'
const body = Array.from({ length: 12 }, (_, line) =>
  Buffer.from(`${line}-line of a key that is long enough, number ${line * 7919}`)
    .toString('base64')
    .slice(0, 64),
)
const pem = `-----BEGIN PRIVATE KEY-----\n${body.join('\n')}\n-----END PRIVATE KEY-----\n`

const matcherOf = (...values: readonly string[]): Promise<Matcher> =>
  compileMatcher(values.map((value, index) => ({ credential: `c${index}`, value })))
const masked = async (text: string, ...values: readonly string[]): Promise<string> => {
  const matcher = await matcherOf(...values)
  const mask = createSecretMask(() => matcher)
  return mask.take(text) + mask.end()
}

describe('what the mask of secrets leaves as it is', () => {
  it('is the source of this plugin, with secrets of any kind', async () => {
    const folder = new URL('../../src/', import.meta.url)
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    const text = (await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')))).join('\n')
    const secrets = [
      token,
      pem,
      'correct horse staple',
      '123456',
      'qwerty',
      'Zeppelin!',
      '{"a":"b","password":"Zeppelin-1937"}',
      'p@$$w0rd',
      'hunter2',
    ]
    expect(text.length).to.be.above(100_000)
    expect(await masked(text, ...secrets)).to.equal(text)
  })

  it('is any text without the secret', async () => {
    const matcher = await matcherOf(token, 'correct horse staple', 'p@$$w0rd', 'hunter2')
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom(...'%&\\=#x0a4\u001b[;-_ \n"\''), maxLength: 300 }),
    )
    fc.assert(
      fc.property(texts, fc.array(fc.nat(300), { maxLength: 4 }), (text, cuts) => {
        const mask = createSecretMask(() => matcher)
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((one, other) => one - other), text.length]
        const shown = places.slice(1).map((place, index) => mask.take(text.slice(places[index], place)))
        expect(shown.join('') + mask.end()).to.equal(text)
      }),
      { numRuns: 120 },
    )
  })

  it('is shown at once if it cannot begin a secret', async () => {
    const matcher = await matcherOf(token, pem)
    const mask = createSecretMask(() => matcher)
    for (const text of ['Password: ', 'Continue? [y/n] ', '100%', '$ ', 'a b c ', '\u001b[1mbold'])
      expect(mask.take(text), text).to.equal(text)
  })
})

describe('the mask of secrets', () => {
  it('masks keys of several lines: whole, each line, in JSON, cut out, and in a dump; not what surrounds all keys', async () => {
    const one = body[3] ?? ''
    expect(await masked(pem, pem)).to.equal('-----BEGIN PRIVATE KEY-----\n[credential c0]\n-----END PRIVATE KEY-----\n')
    expect(await masked(`line ${one}.`, pem)).to.equal('line [credential c0].')
    expect(await masked(JSON.stringify({ key: pem }), pem)).to.not.include(one.slice(0, 12))
    expect(await masked(pem.slice(300, 420), pem)).to.equal('[credential c0]')
    expect(await masked(Buffer.from(pem).toString('base64'), pem)).to.not.include(Buffer.from(`\n${one}`).toString('base64').slice(4, 24))
    expect(await masked(pem.replaceAll('\n', '\\n'), JSON.stringify({ kind: 'service', key: pem }))).to.not.include(one.slice(0, 12))
  })

  it('masks the password of an address, and long texts inside JSON', async () => {
    const value = JSON.stringify({ endpoint: 'https://api.example.org/v1/things', key: 'zz19Qk38vBn20XyTr65' })
    expect(await masked('"zz19Qk38vBn20XyTr65" at https://api.example.org/v1/things', value)).to.equal(
      '"[credential c0]" at https://api.example.org/v1/things',
    )
    expect(await masked('PGPASSWORD=tr0ub4dor', 'postgres://ada:tr0ub4dor@db.example.org/x')).to.equal('PGPASSWORD=[credential c0]')
  })

  it('masks a part of a token, and of words only the whole', async () => {
    expect(await masked(`${token.slice(0, 14)} ${token.slice(6)}`, token)).to.equal('[credential c0] [credential c0]')
    expect(await masked('correct horse, and the whole: correct horse staple', 'correct horse staple')).to.equal(
      'correct horse, and the whole: [credential c0]',
    )
  })

  it('masks short secrets only without a break by letters', async () => {
    expect(await masked('it is hunter2, HUNTER2 and h u n t e r 2', 'hunter2')).to.equal(
      'it is [credential c0], [credential c0] and [credential c0]',
    )
    expect(await masked('at 12:34:56', '123456')).to.equal('at 12:34:56')
  })

  it('names each of several, and the longer one where they overlap', async () => {
    const longer = `${token}Jh5Gf`
    expect(await masked(`${token} ${longer} pass-phrase-x`, token, longer, 'pass-phrase-x')).to.equal(
      '[credential c0] [credential c1] [credential c2]',
    )
  })

  it('ends an output that repeats the beginning of a secret, in time linear in its length', async () => {
    const matcher = await matcherOf(`${'a'.repeat(16_000)}b`)
    const mask = createSecretMask(() => matcher)
    const text = 'a'.repeat(300_000)
    expect(mask.take(text).length + mask.end().length).to.equal(text.length)
  })

  it('holds back no more than the longest secret, whatever separates its characters', async () => {
    const matcher = await matcherOf('correct horse staple')
    const mask = createSecretMask(() => matcher)
    let shown = mask.take('correct hors').length
    for (let count = 0; count < 100; count += 1) shown += mask.take(' '.repeat(100)).length
    expect(shown).to.be.above(9_000)
  })

  it('shows no more than a few characters of a secret where it is cut, whatever stands for signs in it', async () => {
    const secret = 'ab(c=#def|g}|h}i&jk'
    const matcher = await matcherOf(secret)
    const shownAt = (spelled: string, cut: number): string => createSecretMask(() => matcher).take(spelled.slice(0, cut))
    for (let cut = 1; cut < secret.length; cut += 1)
      expect(shownAt(secret, cut), secret.slice(0, cut)).to.be.oneOf(['', 'a', 'ab', 'ab(', 'ab(c', 'ab(c=', 'ab(c=#'])
    for (const spelled of [encodeURIComponent(secret), secret.replaceAll(/[&|#]/g, (sign) => `&#${sign.charCodeAt(0)};`)])
      for (let cut = 5; cut < spelled.length; cut += 1) expect(shownAt(spelled, cut), spelled.slice(0, cut)).to.have.length.below(5)
  })

  it('holds no prompt and no bar of progress back', async () => {
    const matcher = await matcherOf(token)
    for (const text of ['Overwrite it? <y/N> ... ', 'user@host:~/folder$ ', 'Loading [#####-----]'])
      expect(createSecretMask(() => matcher).take(text)).to.equal(text)
  })

  const twins: Readonly<Record<string, (matcher: Matcher) => Matcher>> = {
    'no parts of tokens': (matcher) => ({
      ...matcher,
      views: matcher.views.map((view) => ({ ...view, parts: { ...view.parts, find: () => -1 } })),
    }),
    'no whole patterns': (matcher) => ({ ...matcher, views: matcher.views.map((view) => ({ ...view, wholes: new Map() })) }),
    'no view of letters': (matcher) => ({ ...matcher, views: matcher.views.filter(({ view }) => view !== 'letters') }),
    'no waiting for the next piece': (matcher) => ({
      ...matcher,
      views: matcher.views.map((view) => ({ ...view, tails: { ...view.tails, has: () => false }, partBegins: { ...view.partBegins } })),
    }),
  }
  for (const [name, broken] of Object.entries(twins))
    it(`is caught with ${name}`, async () => {
      const found: string[] = []
      for (const secret of [token, 'l’été correct horse 77'])
        for (const [encoding, spell] of Object.entries(spells)) {
          const matcher = broken(await matcherOf(secret))
          const spelled = spell(secret)
          for (let cut = 1; cut < Math.min(40, spelled.length); cut += 3) {
            const mask = createSecretMask(() => matcher)
            const shown = mask.take(spelled.slice(0, cut)) + mask.take(spelled.slice(cut)) + mask.end()
            if (!shown.startsWith('[') && /^.{4}/s.test(shown) && spelled.startsWith(shown.slice(0, 5))) found.push(encoding)
          }
        }
      expect(found).to.not.have.length(0)
    })

  it('decides the same of a text in one piece, however often it looks', async () => {
    const matcher = await matcherOf(token)
    const text = `a ${token} b`
    expect(scanText(text, matcher, true)).to.deep.equal(scanText(text, matcher, true))
    expect(scanText(text, matcher, true).spans).to.deep.equal([{ start: 2, end: 2 + token.length, credential: 0, longest: token.length }])
  })
})
