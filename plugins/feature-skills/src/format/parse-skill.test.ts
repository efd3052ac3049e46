import { expect } from 'chai'
import { parseSkill } from './parse-skill.js'

const problemOf = (text: string | Uint8Array, folder?: string): string => {
  const { problem } = parseSkill(typeof text === 'string' ? new TextEncoder().encode(text) : text, folder)
  return problem ? `${problem.file}:${problem.line}: ${problem.message}` : 'none'
}

describe('SKILL.md', () => {
  it('is warned of where it says what no screen shows, wherever that is, and not where a script or an emoji needs such characters', () => {
    const warningsOf = (...lines: readonly string[]) =>
      parseSkill(new TextEncoder().encode(['---', 'name: notes', ...lines].join('\n'))).document?.warnings.map(
        ({ line, message }) => `${line}: ${message}`,
      )
    const tags = [...'run'].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')
    const words = 'has characters that screens do not show, or that turn the direction of text; read them before you use the skill'
    expect(warningsOf('description: Notes.', '---', 'Take notes.', `Ask.${tags}`, `Write.${tags}`)).to.deep.equal([
      `6: ${words}: U+E0072, U+E0075, U+E006E`,
    ])
    expect(warningsOf('description: "Notes \\u202Eof\\u202C."', '---', 'Text')).to.deep.equal([`3: ${words}: U+202E, U+202C`])
    expect(warningsOf('description: Notes.', 'license: M\u200bI\u{e0101}T', '---', 'Text')).to.deep.equal([`4: ${words}: U+200B, U+E0101`])
    const england = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'
    expect(warningsOf(`description: For 👩‍🚀, ❤️ and ${england}.`, '---', 'می‌خواهم Sil\u00adbe 葛\u{e0100}')).to.deep.equal([])
  })

  it('gives its members, and ignores those that the format does not know', () => {
    const text = [
      ...[
        '---',
        'name: weekly-report',
        'description: >-',
        '  Writes the report',
        '  of the week.',
        'license: MIT',
        'compatibility: Python 3',
      ],
      ...['metadata:', '  author: ada', '  version: 1.2', 'allowed-tools: run_python read_file', 'model: x', '---', '', '# Report', 'Text'],
    ]
    for (const end of ['\n', '\r\n'])
      expect(parseSkill(new TextEncoder().encode(text.join(end)), 'weekly-report').document).to.deep.equal({
        ...{ name: 'weekly-report', description: 'Writes the report of the week.', license: 'MIT', compatibility: 'Python 3' },
        ...{ metadata: { author: 'ada', version: '1.2' }, allowedTools: ['run_python', 'read_file'], body: '# Report\nText' },
        warnings: [],
      })
  })

  for (const [what, text, problem] of [
    ['no front matter', '# Report\n', /^SKILL.md:1: it must begin/],
    ['no first line of hyphens', 'name: a\ndescription: A.\n---\n', /^SKILL.md:1: the first line “---” is missing.*write it there/],
    ['a dash in place of hyphens', '—\nname: a\n---\n', /^SKILL.md:1: it begins with “—”.*three hyphens/],
    ['a fence around it', '```yaml\n---\nname: a\n---\n```\n', /^SKILL.md:1: .*leave this line/],
    [
      'an endless front matter',
      `---\nname: a\ndescription: A.\nx: ${'a'.repeat(70_000)}\n---\n`,
      /^SKILL.md:1: the front matter has more than 32768 bytes/,
    ],
    ['no end of it', '---\nname: a\n', /^SKILL.md:1: .*no end/],
    ['what is no YAML', '---\n  name: [a\n---\n', /^SKILL.md:\d: the front matter is not YAML/],
    ['a member twice', '---\nname: a\nname: b\n---\n', /^SKILL.md:3: “name” is there twice; keep one/],
    ['an empty description', '---\nname: a\ndescription:\n---\n', /^SKILL.md:3: “description” is empty.*indented below it/],
    [
      'a description that is a list',
      '---\nname: a\ndescription: [beta]\n---\n',
      /^SKILL.md:3: “description” must be a text; put it in quotes/,
    ],
    ['a list in place of members', '---\n- name\n---\n', /must have “name”/],
    ['no name', '---\ndescription: A.\n---\n', /^SKILL.md:2: “name” is missing/],
    ['no description', '---\nname: a\n---\n', /“description” is missing/],
    ['a name in other letters', '---\ndescription: A.\nname: Größe\n---\n', /^SKILL.md:3: “name” is “Größe”/],
    ['a name with two hyphens', '---\nname: a--b\n---\n', /single “-”/],
    ['a name that is too long', `---\nname: ${'a'.repeat(65)}\n---\n`, /^SKILL.md:2: “name” must have 1 to 64/],
    ['a description that is too long', `---\nname: a\ndescription: ${'a'.repeat(1_025)}\n---\n`, /^SKILL.md:3: .*1 to 1024/],
    [
      'the name of another folder',
      '---\nname: b\ndescription: B.\n---\n',
      /^SKILL.md:2: .*folder is “a”; .*write “name: a”, or rename the folder to “b”/,
    ],
    ['what is no UTF-8', new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xff]), /not UTF-8/],
    ['aliases that multiply', `---\na: &a [x,x]\nb: &b [*a,*a]\nname: *b\n---\n`, /“name” must be a text/],
    ['keys in upper case', '---\nName: a\nDescription: A.\n---\n', /“name” is missing; there is “Name”, write it in lower case/],
    ['no blank behind colons', '---\nname:a\ndescription:A.\n---\n', /^SKILL.md:2: a plain colon.*write “name: …”/],
    ['colons of another script', '---\nx\nname\uff1aa\n---\n', /^SKILL.md:3: a plain colon.*write “name: …”/],
    ['a blank that is not plain', '---\nname:\u00a0a\n---\n', /^SKILL.md:2: a plain colon/],
    ['pairs in a list without end', `---\nname: a\ndescription: [${' a: b\n'.repeat(5_300)}]\n---\n`, /too many keys, values and marks/],
    ['lines without end in a quote', `---\nname: a\ndescription: "${'k: a: b\n'.repeat(3_000)}\n---\n`, /too many keys, values and marks/],
    [
      'names in names without end',
      `---\n${'['.repeat(1_000)}\n---\n`,
      /^SKILL.md:2: the front matter is not YAML: it is nested more than 50/,
    ],
  ] as const)
    it(`with ${what} names the line and the problem`, () => {
      expect(problemOf(text, 'a')).to.match(problem)
    })

  const written = (...members: readonly string[]) => {
    const { document, problem } = parseSkill(new TextEncoder().encode(['---', ...members, '---', '', '# Body', ''].join('\n')), 'a')
    if (!document) throw new Error(`${problem.line}: ${problem.message}`)
    return document
  }
  const warnedOf = (...members: readonly string[]) => written(...members).warnings.map(({ line, message }) => `${line}: ${message}`)

  for (const [text, reason] of [
    ['Plans a change. IMPORTANT: ask first. Use when: a task has steps.', 'a colon and a blank'],
    ['[beta] Formats tables', '“[” at its beginning'],
    ['*Very* useful: formats tables.', '“*” at its beginning'],
    ['@mentions people', '“@” at its beginning'],
    ['`code` runs', '“`” at its beginning'],
    ['% of a total', '“%” at its beginning'],
    ['# of items: counts', '“#” at its beginning'],
    ['!important for tables', '“!” at its beginning'],
    ['> quoted: texts', '“>” at its beginning'],
    ['| pipes', '“|” at its beginning'],
    ['- lists: of things', '“-” at its beginning'],
    ['“quoted” and "x": y', 'a colon and a blank'],
    ['"Quoted" and more', '“"” at its beginning'],
    ['{name} of a thing', '“{” at its beginning'],
    ['📋 Plans: everything', 'a colon and a blank'],
  ] as const)
    it(`takes the description ${text} as its author meant it`, () => {
      const members = ['name: a', `description: ${text}`, 'license: MIT']
      expect(written(...members)).to.include({ description: text, license: 'MIT', body: '# Body' })
      expect(warnedOf(...members)).to.have.length(1)
      expect(warnedOf(...members)[0]).to.include(`3: “description” is read as plain text, since ${reason}`)
    })

  it('takes a description of several lines, paragraphs and lines without indentation', () => {
    const members = ['name: a', 'description: Builds pages.', '', '  Keywords: kit, pages', 'and more.', 'license: MIT', 'license2: [']
    expect(written(...members)).to.include({ description: 'Builds pages.\nKeywords: kit, pages and more.', license: 'MIT' })
  })

  it('leaves out what YAML takes for a comment, and says so', () => {
    expect(written('name: a', 'description: Writes C #code').description).to.equal('Writes C')
    expect(warnedOf('name: a', 'description: Writes C #code')[0]).to.match(/^3: “# code” is a comment in YAML/)
  })

  it('takes members without a value for absent, and numbers as they are written', () => {
    const none = written('name: a', 'description: A.', 'license:', 'compatibility: ~', 'metadata:', 'allowed-tools:')
    expect(none).to.deep.include({ license: null, compatibility: null, metadata: {}, allowedTools: [], warnings: [] })
    const numbers = written('name: a', 'description: 5', 'license: 2.0', 'metadata:', '  version: 1.0')
    expect(numbers).to.deep.include({ description: '5', license: '2.0', metadata: { version: '1.0' }, warnings: [] })
  })

  it('uses the texts of its metadata, and names what it leaves out', () => {
    const json = 'metadata: {"claw":{"emoji":"🐙","install":[{"id":"brew"}]}, "version": "2"}'
    expect(written('name: a', 'description: A.', json).metadata).to.deep.equal({ version: '2' })
    expect(warnedOf('name: a', 'description: A.', json)).to.deep.equal(['4: of “metadata” only texts are used, at most 50; ignored: claw'])
    const block = ['name: a', 'description: A.', 'user-invocable: true', 'metadata:', '  claw:', '    os: [darwin, linux]', '  version: 2']
    expect(written(...block).metadata).to.deep.equal({ version: '2' })
    for (const member of ['metadata: [1]', 'metadata: soon', 'license: {name: MIT}', 'allowed-tools: {a: 1}', 'metadata:\n\tauthor: ada'])
      expect(warnedOf('name: a', 'description: A.', ...member.split('\n')), member).to.not.deep.equal([])
  })

  it('says of tabs what to write in their place', () =>
    expect(warnedOf('name: a', 'description: A.', 'metadata:', '\tauthor: ada')[0]).to.match(
      /no indentation in YAML; write blanks instead$/,
    ))

  it('reads tools with blanks, with commas, or as a list, and keeps parentheses whole', () => {
    for (const member of [
      'allowed-tools: Bash(git status:*) Read',
      'allowed-tools: Bash(git status:*), Read',
      'allowed-tools: [Bash(git status:*), Read]',
      'allowed-tools:\n- Bash(git status:*)\n- Read',
    ])
      expect(written('name: a', 'description: A.', ...member.split('\n')).allowedTools, member).to.deep.equal([
        'Bash(git status:*)',
        'Read',
      ])
    expect(written('name: a', 'description: A.', 'allowed-tools: *').allowedTools).to.deep.equal(['*'])
    expect(written('name: a', 'description: A.', 'argument-hint: [issue] <text>').warnings).to.have.length(1)
  })

  it('reads a name with blanks, underscores and upper case as that of its folder', () => {
    const { document } = parseSkill(new TextEncoder().encode('---\nname: Weekly_Report of Ada\ndescription: A.\n---\n'))
    expect(document?.name).to.equal('weekly-report-of-ada')
    expect(document?.warnings.map(({ message }) => message)).to.deep.equal([
      '“name” is “Weekly_Report of Ada” and is read as “weekly-report-of-ada”; write it so',
      'there are no instructions below the front matter',
    ])
    expect(problemOf('---\nname: weekly-report\ndescription: A.\n---\n', 'Weekly Report')).to.match(/rename the folder to “weekly-report”/)
  })

  it('has a byte order mark, blank lines before it, and any ends of lines', () => {
    for (const text of [
      '\ufeff---\nname: a\ndescription: A.\n---\nB',
      '\n\n---\nname: a\ndescription: A.\n---\nB',
      '---\rname: a\rdescription: A.\r---\rB',
    ])
      expect(problemOf(text, 'a')).to.equal('none')
    expect(problemOf('\n\n---\nname: a\nname: b\n---\n', 'a')).to.match(/^SKILL.md:5:/)
  })
})
