import { expect } from 'chai'
import { runWebModules } from '../support/run-web-modules.js'
import { isInRepository, webFiles, webFolders, webSource } from '../support/web-sources.js'

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
      'Prompts',
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

const sources: readonly string[] = webFiles.filter(
  // The gallery of components is for those who build screens, and in English.
  (file) => /\.tsx?$/.test(file) && !file.startsWith('plugins/feature-console/web/screens/components/'),
)

/** Words of a person's language: two of them, or one that begins as a sentence does. */
const isWords = (text: string): boolean => /^[A-Z][a-z]+\b(?!:\/\/)/.test(text) || /[A-Za-z]{2,} [a-z]{2,}/.test(text)

/** Keys of the keyboard, and commands. */
const noWords: ReadonlySet<string> = new Set(['Esc', 'Enter', 'Ctrl', 'Shift', 'Tab', 'agent-service restore backup.tar'])

/** What a source shows of words that are in no catalogue: attributes, text between tags, and messages. */
function inlineWords(source: string): readonly string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const patterns = [
    /\b(?:aria-label|aria-description|title|placeholder|label|alt|name|help|text|lead)="([^"{}]+)"/g,
    /\b(?:label|title|help|text|action|keep|placeholder): '([^'{}]+)'/g,
    /\b(?:showToast|announce|usePageTitle)\('([^']+)'/g,
    /<[a-z][a-z0-9]*(?: [^<>]*)?>\s*([A-Za-z][^<>{}]*?)\s*<\//g,
    /^\s*([A-Z][a-z]+ [a-z][^<>{}=;()]*)\n\s*<\//gm,
  ]
  return patterns
    .flatMap((pattern) => [...code.matchAll(pattern)].map(([, words = '']) => words))
    .filter((words) => isWords(words) && !noWords.has(words))
}

describe('the German texts of the console', () => {
  let catalogues: readonly { readonly en: Texts; readonly de: Texts }[]
  before(async () => {
    const files = sources.filter((file) => file !== 'sdk/web/i18n/messages.ts' && webSource(file).includes('defineMessages('))
    const { found } = await runWebModules<{ readonly found: typeof catalogues }>([...files, 'sdk/web/i18n/messages.ts'], {
      'sdk/web/i18n/messages.ts': recorder,
    })
    catalogues = found
    expect(catalogues.length).to.equal(files.length).and.to.be.greaterThan(70)
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

  it('stand beside the English ones where both are data, such as the titles of screens', () => {
    const panels = webFolders.map((folder) => folder.replace(/web$/, 'src/console-panels.ts')).filter(isInRepository)
    expect(panels.length).to.be.greaterThan(10)
    const pairs = [...sources, ...panels].flatMap((file) =>
      [...webSource(file).matchAll(/\ben: '([^']*)',\s*(?:de: '([^']*)')?/g)].map(([, en = '', de]) => ({ file, en, de })),
    )
    expect(pairs.length).to.be.greaterThan(80)
    const wrong = pairs.filter(({ en, de }) => de === undefined || de === '' || (de === en && !alike.has(en)))
    expect(wrong.map(({ file, en, de }) => `${file}: ${en} – ${de}`)).to.deep.equal([])
  })

  it('are in catalogues: no screen shows words of its own', () => {
    expect(inlineWords('<p class="x">Nothing here</p> <i title="Close it">{t("x")}</i> showToast(\'Gone now\')')).to.deep.equal([
      'Close it',
      'Gone now',
      'Nothing here',
    ])
    // Elsewhere, words stand in the catalogues that the other tests compare.
    const shown = sources.filter((file) => file.endsWith('.tsx'))
    expect(shown.length).to.be.greaterThan(200)
    expect(shown.flatMap((file) => inlineWords(webSource(file)).map((words) => `${file}: ${words}`))).to.deep.equal([])
  })
})
