import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { allows, decisions, readProfile } from '../test-support/profile-reader.js'
import { foldersAbove, kernelPath } from './host-paths.js'
import { quote } from './quote.js'
import { type ProfilePlan, sandboxProfile } from './sandbox-profile.js'

const workspace = '/Users/ada/data/users/ada/workspaces/helper'
const run = '/private/var/folders/xy/T/agent-service-sandbox-7-a/run-b'
const system = ['/bin', '/usr/bin', '/usr/lib', '/System/Library']

const plan = (change: Partial<ProfilePlan> = {}): ProfilePlan => ({
  files: { read: [], write: [workspace], deny: [] },
  ...{ system, own: [run], confined: true, terminal: false, connect: [], listen: [] },
  ...change,
})
const profileOf = (change: Partial<ProfilePlan> = {}) => readProfile(sandboxProfile(plan(change)))
const filesOf = (files: Partial<ProfilePlan['files']>) => profileOf({ files: { read: [], write: [workspace], deny: [], ...files } })

describe('the text of profiles', () => {
  const golden: readonly (readonly [name: string, change: Partial<ProfilePlan>])[] = [
    ['workspace', {}],
    [
      'denied',
      {
        files: { read: ['/tmp/shared'], write: [workspace], deny: [`${workspace}/keys/private`, '/tmp/shared/closed'] },
        connect: [61_000],
      },
    ],
    ['server', { connect: [61_000], listen: [8_080] }],
    ['terminal', { terminal: true }],
    ['unconfined', { confined: false, connect: [61_000] }],
  ]
  for (const [name, change] of golden)
    it(`is that of golden/${name}.sb`, async () => {
      expect(sandboxProfile(plan(change))).to.equal(await readFile(new URL(`../../golden/${name}.sb`, import.meta.url), 'utf8'))
    })
})

describe('what a profile allows', () => {
  it('reads, runs and changes what the lists and the system name, and nothing else', () => {
    const profile = filesOf({ read: ['/Users/ada/shared'] })
    for (const operation of ['file-read-data', 'file-map-executable', 'process-exec']) {
      for (const path of ['/usr/bin/git', `${workspace}/a/b`, '/Users/ada/shared/x', `${run}/token`])
        expect(allows(profile, operation, path), `${operation} ${path}`).to.equal(true)
      for (const path of ['/Users/ada/.ssh/id', '/Users/ada/shared-not', `${workspace}2/a`, '/private/etc/master.passwd', '/Users/ada'])
        expect(allows(profile, operation, path), `${operation} ${path}`).to.equal(false)
    }
    expect(allows(profile, 'file-write-data', `${workspace}/a`)).to.equal(true)
    for (const path of ['/usr/bin/git', '/Users/ada/shared/x', `${run}/token`, '/Users/ada/x', '/'])
      expect(allows(profile, 'file-write-data', path), path).to.equal(false)
  })

  it('looks at each folder above a path without listing it, and follows /tmp, /var and /etc', () => {
    const profile = profileOf()
    for (const path of ['/Users', '/Users/ada/data/users', '/tmp', '/private', '/private/var/folders']) {
      expect(allows(profile, 'file-read-metadata', path), path).to.equal(true)
      expect(allows(profile, 'file-read-data', path), path).to.equal(false)
    }
    expect(allows(profile, 'file-read-metadata', '/Users/grace')).to.equal(false)
  })

  it('keeps a denied path closed whichever rule of several decides', () => {
    const denied = `${workspace}/keys/private`
    const profile = filesOf({ read: ['/Users/ada'], deny: [denied] })
    for (const operation of ['file-read-data', 'file-write-data', 'file-write-create', 'file-write-unlink', 'process-exec'])
      for (const path of [denied, `${denied}/deep/key`]) {
        const decided = decisions(profile, operation, path)
        expect(decided, `${operation} ${path}`).to.include('deny').and.not.to.include('allow')
      }
    expect(allows(profile, 'file-read-data', `${workspace}/keys/public`)).to.equal(true)
  })

  it('moves nothing that lies above a denied path, and no folder that may be written', () => {
    const profile = filesOf({ deny: [`${workspace}/keys/private`] })
    for (const path of [workspace, `${workspace}/keys`, `${workspace}/keys/private`])
      expect(allows(profile, 'file-write-unlink', path), path).to.equal(false)
    expect(allows(profile, 'file-write-create', workspace)).to.equal(false)
    for (const path of [`${workspace}/a`, `${workspace}/keys/public`])
      expect(allows(profile, 'file-write-unlink', path), path).to.equal(true)
  })

  it('keeps what is for reading from changes below a folder that may be written', () => {
    const fixed = `${workspace}/keys/fixed`
    const open = `${fixed}/open`
    const profile = filesOf({ read: ['/Users/ada', fixed], write: [workspace, open] })
    for (const operation of ['file-write-data', 'file-write-create', 'file-write-unlink'])
      for (const path of [fixed, `${fixed}/table`]) expect(allows(profile, operation, path), `${operation} ${path}`).to.equal(false)
    expect(allows(profile, 'file-read-data', `${fixed}/table`)).to.equal(true)
    expect(allows(profile, 'file-write-unlink', `${workspace}/keys`)).to.equal(false)
    for (const path of [`${open}/new`, `${workspace}/keys/other`]) expect(allows(profile, 'file-write-data', path), path).to.equal(true)
  })

  it('keeps nothing of a list that is denied as a whole', () => {
    const profile = filesOf({ deny: ['/Users/ada/data'] })
    expect(decisions(profile, 'file-read-data', `${workspace}/a`)).to.not.include('allow')
    expect(decisions(profile, 'file-write-data', `${workspace}/a`)).to.not.include('allow')
  })

  it('has no rule of files, of the network or of terminals that allows everything', () => {
    const everything = [profileOf(), profileOf({ terminal: true, connect: [1], listen: [2] }), filesOf({ write: [], deny: [] })]
    for (const profile of everything)
      for (const rule of profile.filter((each) => each.length === 2 && each[0] === 'allow'))
        expect(['process-fork', 'ipc-posix-sem', 'pseudo-tty']).to.include(rule[1])
  })

  it('opens the terminal of the process alone, and none without one', () => {
    const withTerminal = sandboxProfile(plan({ terminal: true }))
    expect(withTerminal).to.include('(literal (param "TERMINAL"))').and.to.include('(literal "/dev/tty")')
    for (const terminal of [false, true]) {
      const profile = profileOf({ terminal })
      for (const operation of ['file-read-data', 'file-write-data', 'file-ioctl'])
        expect(allows(profile, operation, '/dev/ttys001'), operation).to.equal(false)
      expect(allows(profile, 'file-ioctl', '/dev/tty')).to.equal(terminal)
    }
  })

  it('opens no port but those that are named', () => {
    expect(sandboxProfile(plan())).to.not.include('network')
    const network = sandboxProfile(plan({ connect: [61_000], listen: [8_080] }))
      .split('\n')
      .filter((line) => line.includes('localhost') || line.includes('network'))
    expect(network).to.deep.equal([
      '(allow network-outbound',
      '  (remote tcp "localhost:61000")',
      '  (remote tcp "localhost:8080"))',
      '(allow network-bind network-inbound',
      '  (local tcp "localhost:8080"))',
    ])
  })
})

describe('paths in profiles', () => {
  const odd = [
    ...['a"b', 'a\\', 'a\\"b', '") (allow default) ("', 'a\nb', 'a\tb', 'ü', 'e\u0301', '日本', '😀', ' ', "'", '#"', '; comment', '\\n'],
    ...['.*', '[a]', '(x|y)', '^$', 'a+', '\\.', '{1}', '%s', '$HOME', '`id`'],
  ]
  for (const name of odd)
    it(`mean what they are: ${JSON.stringify(name)}`, () => {
      const written = `/Users/ada/${name}`
      const denied = `${written}/${name}`
      const profile = filesOf({ write: [written], deny: [denied] })
      expect(allows(profile, 'file-write-data', `${written}/x`)).to.equal(true)
      expect(allows(profile, 'file-read-data', `${denied}/x`)).to.equal(false)
      expect(allows(profile, 'file-read-data', '/Users/grace/x')).to.equal(false)
      expect(allows(profile, 'file-write-data', '/Users/ada/aab/x')).to.equal(false)
      expect(profile.length).to.equal(filesOf({ write: ['/Users/ada/p'], deny: ['/Users/ada/p/p'] }).length)
    })

  it('are refused with characters that no string of a profile can hold', () => {
    for (const text of ['a\0b', 'a\u0007', '\ud800', '\u0085']) expect(() => quote(text), JSON.stringify(text)).to.throw(RangeError)
  })

  it('are those that the kernel sees behind the links at the root', () => {
    expect(kernelPath('/tmp/a')).to.equal('/private/tmp/a')
    expect(kernelPath('/var')).to.equal('/private/var')
    expect(kernelPath('/etc/hosts')).to.equal('/private/etc/hosts')
    for (const path of ['/private/tmp/a', '/tmpfile', '/', '/Users/tmp/a']) expect(kernelPath(path)).to.equal(path)
    const profile = filesOf({ write: ['/tmp/work'], deny: ['/tmp/work/closed'] })
    expect(allows(profile, 'file-write-data', '/private/tmp/work/a')).to.equal(true)
    expect(allows(profile, 'file-write-data', '/private/tmp/work/closed/a')).to.equal(false)
  })

  it('are above one another by whole names', () => {
    expect(foldersAbove('/a/b/c')).to.deep.equal(['/a', '/a/b'])
    expect(foldersAbove('/a')).to.deep.equal([])
  })
})
