import { expect } from 'chai'
import { parseProfileFile } from './parse-profile-file.js'
import { splitCommand } from './split-command.js'

describe('a file of profiles', () => {
  it('has sections with settings; comments, nested settings and other lines are ignored', () => {
    const sections = parseProfileFile(
      '\uFEFF# comment\n; another\nlost = before any section\n[default]\r\nRegion = eu-west-1 # here\n\n[profile  "my work"] ; mine\naws_access_key_id=A\ns3 =\n  max_concurrent_requests = 20\nurl = https://x/#part;y=1\nno setting\n= nothing\n[sso-session office]\nsso_region = us-east-1\n[default]\noutput = json\n',
    )
    expect(Object.fromEntries([...sections].map(([name, settings]) => [name, Object.fromEntries(settings)]))).to.deep.equal({
      default: { region: 'eu-west-1', output: 'json' },
      'profile my work': { aws_access_key_id: 'A', s3: '', url: 'https://x/#part;y=1' },
      'sso-session office': { sso_region: 'us-east-1' },
    })
  })

  it('of any content is read without a failure', () => {
    for (const text of ['', '[', ']', '[]\na=b', '=', '\0\0', '[a]\n=\n[a'.repeat(1_000)])
      expect(parseProfileFile(text)).to.be.instanceOf(Map)
  })
})

describe('a command line', () => {
  const cases: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['', []],
    ['  tool  --flag\tvalue ', ['tool', '--flag', 'value']],
    [`"/path with/tool" 'a "b"' "c 'd'"`, ['/path with/tool', 'a "b"', "c 'd'"]],
    [String.raw`a\ b "c\"d" 'e\f'`, ['a b', 'c"d', String.raw`e\f`]],
    [`x""y ''`, ['xy', '']],
    [`$HOME \`id\` $(id) | ; & > <`, ['$HOME', '`id`', '$(id)', '|', ';', '&', '>', '<']],
    ['"open', undefined],
    ["'open", undefined],
  ]
  for (const [command, words] of cases)
    it(`${command} is ${JSON.stringify(words)}`, () => expect(splitCommand(command, false)).to.deep.equal(words))

  it('keeps backslashes on Windows, where they separate paths', () => {
    expect(splitCommand(String.raw`"C:\Program Files\tool.exe" C:\x`, true)).to.deep.equal([
      String.raw`C:\Program Files\tool.exe`,
      String.raw`C:\x`,
    ])
  })
})
