import { expect } from 'chai'
import { catalogues, isInRepository, webFiles, webFolders, webSource } from '../support/web-sources.js'

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

/** Tests and what they use: nobody reads their words. */
const isTest = (file: string): boolean => /\.test\.tsx?$|\/test-support\//.test(file)

const sources: readonly string[] = webFiles.filter(
  // The gallery of components is for those who build screens, and in English.
  (file) => /\.tsx?$/.test(file) && !isTest(file) && !file.startsWith('plugins/feature-console/web/screens/components/'),
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
  it('are German: none is the English one, but for words that are the same', () => {
    const pairs = catalogues.flatMap(({ folder, en, de }) =>
      Object.entries(de).flatMap(([group, texts]) =>
        Object.entries(texts).map(([key, text]) => ({ name: `${folder}: ${group}.${key}: ${text}`, text, english: en[group]?.[key] })),
      ),
    )
    expect(pairs.length).to.be.greaterThan(3_000)
    const same = pairs.filter(({ text, english }) => text === english && !alike.has(text))
    expect(same.map(({ name }) => name)).to.deep.equal([])
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
