import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runWebModules } from '../support/run-web-modules.js'

const web = fileURLToPath(new URL('../../../../plugins/feature-console/web/', import.meta.url))

type Texts = Readonly<Record<string, string>>

/** Keeps what each file defines, with the name of the file. */
const recorder = `
  export const found = []
  export const defineMessages = (messages) => { found.push(messages); return () => '' }
  export const textOf = ({ en }) => en
`

/** The same word in both languages, or a name. */
const alike: ReadonlySet<string> = new Set(
  [
    [
      'Admin',
      'Agent',
      'Agent: {agent}',
      'Avatar',
      'Browser',
      'Budget',
      'Chat',
      'Chats',
      'Code',
      'CSV',
      'Debug',
      'Details',
      'Host',
      'Id',
      'In {name}',
    ],
    [
      'Info',
      'JSON',
      'Live',
      'Log',
      'Name',
      'Operation',
      'optional',
      'Person',
      'Playbook',
      'Playbooks',
      'Plugins',
      'Port',
      'Sandbox',
      'SHA-256',
    ],
    ['Status', 'System', 'Terminal', 'Text', 'Token', 'Tokens', 'Uploads', 'Variable', 'Version', 'Version {number}'],
    ['{day}: {cost}', '{file}', '{ms, number} ms', '{percent}, {bytes}', '{service} ({plugin})'],
  ].flat(),
)

/** The names of the choices of each plural in a message. */
function pluralsIn(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/, plural,/g)].map(({ index }) => {
    const names: string[] = []
    let depth = 0
    let name = ''
    for (const character of text.slice(index + ', plural,'.length)) {
      if (character === '{' && depth++ === 0) names.push(name.trim())
      if (character === '}' && depth-- === 0) break
      name = depth === 0 && character !== '}' ? name + character : ''
    }
    return names
  })
}

describe('the German texts of the console', () => {
  let catalogues: readonly { readonly en: Texts; readonly de: Texts }[]
  before(async () => {
    const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
      (file) => path.basename(file).endsWith('texts.ts') && !file.startsWith('dist'),
    )
    const { found } = await runWebModules<{ readonly found: typeof catalogues }>([...files, 'i18n/messages.ts'], {
      'i18n/messages.ts': recorder,
    })
    catalogues = found
    expect(catalogues.length).to.be.greaterThan(30)
  })

  it('are as many as the English ones, none of them empty', () => {
    for (const { en, de } of catalogues) {
      expect(Object.keys(de)).to.have.members(Object.keys(en))
      expect(Object.entries(de).filter(([key, text]) => text.trim() === '' && en[key]?.trim() !== '')).to.deep.equal([])
    }
  })

  it('are German: none is the English one, but for words that are the same', () => {
    const same = catalogues.flatMap(({ en, de }) => Object.entries(de).filter(([key, text]) => text === en[key] && !alike.has(text)))
    expect(same.map(([key, text]) => `${key}: ${text}`)).to.deep.equal([])
  })

  it('have plurals that would be read wrong otherwise', () => {
    expect(pluralsIn('{a, plural, =0 {no {b}} one {{n, plural, one {#} other {# of}}} other {#}}')).to.deep.equal([
      ['=0', 'one', 'other'],
      ['one', 'other'],
    ])
  })

  it('say one and many in each language by its own rules', () => {
    const wrongIn = (text: string, language: string) => {
      const known = new Intl.PluralRules(language).resolvedOptions().pluralCategories
      return pluralsIn(text).flatMap((names) => [
        ...names.filter((name) => !/^=\d+$/.test(name) && !known.some((category) => category === name)),
        ...(names.includes('other') ? [] : ['no other']),
      ])
    }
    const wrong = catalogues.flatMap(({ en, de }) => [
      ...Object.entries(en).flatMap(([key, text]) => wrongIn(text, 'en').map((form) => `en ${key}: ${form}`)),
      ...Object.entries(de).flatMap(([key, text]) => wrongIn(text, 'de').map((form) => `de ${key}: ${form}`)),
    ])
    expect(wrong).to.deep.equal([])
  })
})
