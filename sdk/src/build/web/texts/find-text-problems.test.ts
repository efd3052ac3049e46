import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { findTextProblems } from './find-text-problems.js'

type Texts = Readonly<Record<string, string>>

describe('the check of the texts of screens', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'text-problems-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const write = async (name: string, content: string): Promise<void> => {
    await mkdir(path.join(folder, 'texts'), { recursive: true })
    await writeFile(path.join(folder, 'texts', name), content)
  }
  /** The problems with a group that has these texts in English and German, without the name of file and group. */
  const problemsOf = async (en: Texts, de: Texts): Promise<readonly string[]> => {
    await write('en.json', JSON.stringify({ rolls: en }))
    await write('de.json', JSON.stringify({ rolls: de }))
    return (await findTextProblems(folder)).map((problem) => problem.replace(/^web\/texts\/(en|de)\.json, rolls\./, '$1 '))
  }
  const problemsWith = (text: string) => problemsOf({ a: text }, { a: text })

  it('has none where there are no catalogues, and with whole ones', async () => {
    expect(await findTextProblems(folder)).to.deep.equal([])
    const en = '{name}’s <b> {n, plural, =0 {none} one {# roll} other {# rolls}} on {day, date}: {kind, select, die {die} other {{n}}}'
    expect(await problemsOf({ a: en, b: 'It’s #1' }, { a: en.replace('one {# roll}', 'one {# Wurf}'), b: 'Es ist' })).to.deep.equal([])
  })

  it('asks for the languages of the console, and for files that are catalogues', async () => {
    await write('en.json', '{}')
    expect(await findTextProblems(folder)).to.deep.equal(['web/texts/de.json is missing; the console has that language.'])
    await write('notes.txt', '')
    expect((await findTextProblems(folder)).join()).to.match(/^web\/texts\/notes\.txt is no catalogue; name it/)
  })

  const shapes = {
    '[': 'is no JSON',
    '[]': 'is no object of groups',
    '{"Rolls":{}}': 'a group “Rolls”',
    '{"rolls":{"a":1}}': 'no text at rolls.a',
  }
  for (const [content, message] of Object.entries(shapes)) {
    it(`says of ${content} that it ${message}`, async () => {
      await write('en.json', content)
      await write('de.json', '{}')
      expect((await findTextProblems(folder)).join())
        .to.contain('web/texts/en.json')
        .and.to.contain(message)
    })
  }

  it('wants the same keys in each language', async () => {
    expect(await problemsOf({ a: 'A', b: 'B' }, { a: 'A', c: 'C' })).to.deep.equal([
      'de b: is missing; translate the text of en.json.',
      'de c: is not in en.json; add it there, or remove it here.',
    ])
  })

  it('compares further languages too, each with its own plural forms', async () => {
    await problemsOf({ a: '{n, plural, one {#} other {#}}' }, { a: '{n, plural, one {#} other {#}}' })
    await write('pl.json', JSON.stringify({ rolls: { a: '{n, plural, one {#} few {#} other {#}}' } }))
    expect((await findTextProblems(folder)).join()).to.match(
      /^web\/texts\/pl\.json, rolls\.a: has no form “many” in the plural of “n”;[^.]*\.$/,
    )
  })

  it('wants the same values of the same types', async () => {
    expect(await problemsOf({ a: '{name} {n, number}' }, { a: '{n, date} {who}' })).to.deep.equal([
      'de a: lacks the value “{name}” of the English text; use it.',
      'de a: takes “n” as a moment, and the English text as a number; write both alike.',
      'de a: has the value “{who}”, which the English text has not; nobody gives it.',
    ])
  })

  const refused: Readonly<Record<string, RegExp>> = {
    ' ': /is empty/,
    '{name': /is no ICU message: expect argument closing brace at character 1;/,
    '{n, plural, one {#}}': /is no ICU message: missing other clause/,
    '{n, plural, other {#}}': /has no form “one” in the plural of “n”; the language needs one, other/,
    '{n, plural, one {#} few {#} other {#}}': /has a form “few”/,
    '{n, plural, offset:1 one {#} other {#}}': /has an offset/,
    '{n, selectordinal, one {#st} other {#th}}': /has ordinals of “n”/,
    '{n, number, percent}': /gives “n” a style/,
    '{n, number} {n, date}': /takes “n” as a number and as a moment/,
    "'{name}'": /has an apostrophe that escapes/,
  }
  for (const [text, message] of Object.entries(refused)) {
    it(`refuses “${text}” in each language`, async () => {
      const problems = await problemsWith(text)
      expect(problems.filter((problem) => problem.startsWith('en ')).join()).to.match(message)
      expect(problems.filter((problem) => problem.startsWith('de ')).join()).to.match(message)
    })
  }
})
