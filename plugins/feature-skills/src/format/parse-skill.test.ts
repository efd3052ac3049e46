import { expect } from 'chai'
import { parseSkill } from './parse-skill.js'

const problemOf = (text: string | Uint8Array, folder?: string): string => {
  const { problem } = parseSkill(typeof text === 'string' ? new TextEncoder().encode(text) : text, folder)
  return problem ? `${problem.file}:${problem.line}: ${problem.message}` : 'none'
}

describe('SKILL.md', () => {
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
      })
  })

  for (const [what, text, problem] of [
    ['no front matter', '# Report\n', /^SKILL.md:1: it must begin/],
    ['no end of it', '---\nname: a\n', /^SKILL.md:1: .*no end/],
    ['what is no YAML', '---\nname: a\ndescription: [1\n---\n', /^SKILL.md:\d: the front matter is not YAML/],
    ['a member twice', '---\nname: a\nname: b\n---\n', /^SKILL.md:3: the front matter is not YAML: Map keys must be unique/],
    ['a list in place of members', '---\n- name\n---\n', /must have “name”/],
    ['no name', '---\ndescription: A.\n---\n', /^SKILL.md:2: “name” is missing/],
    ['no description', '---\nname: a\n---\n', /“description” is missing/],
    ['a name in upper case', '---\ndescription: A.\nname: Report\n---\n', /^SKILL.md:3: “name” is “Report”/],
    ['a name with two hyphens', '---\nname: a--b\n---\n', /single “-”/],
    ['a name that is too long', `---\nname: ${'a'.repeat(65)}\n---\n`, /^SKILL.md:2: “name” must have 1 to 64/],
    ['a description that is too long', `---\nname: a\ndescription: ${'a'.repeat(1_025)}\n---\n`, /^SKILL.md:3: .*1 to 1024/],
    ['a description that is a number', '---\nname: a\ndescription: 5\n---\n', /^SKILL.md:3: “description” must be a text/],
    ['metadata that is a list', '---\nname: a\ndescription: A.\nmetadata: [1]\n---\n', /^SKILL.md:4: “metadata”/],
    ['tools that are a map', '---\nname: a\ndescription: A.\nallowed-tools: {a: 1}\n---\n', /^SKILL.md:4: “allowed-tools”/],
    ['the name of another folder', '---\nname: b\ndescription: B.\n---\n', /^SKILL.md:2: .*folder is “a”/],
    ['what is no UTF-8', new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xff]), /not UTF-8/],
    ['aliases that multiply', `---\na: &a [x,x]\nb: &b [*a,*a]\nname: *b\n---\n`, /“name” must be a text/],
  ] as const)
    it(`with ${what} names the line and the problem`, () => {
      expect(problemOf(text, 'a')).to.match(problem)
    })
})
