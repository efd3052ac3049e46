import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { limits } from '../common/limits.js'
import { manyFiles, skillText, type TestEntry, tar, tarGz, zip } from '../test-support/archives.js'
import { readArchive } from './read-archive.js'

const main: TestEntry = { name: 'SKILL.md', content: skillText('notes') }
const { signal } = new AbortController()

const refusal = async (bytes: Uint8Array): Promise<string> => {
  try {
    await readArchive(bytes, { signal })
    return 'taken'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('an archive of a skill', () => {
  const good: readonly TestEntry[] = [
    { name: 'notes/SKILL.md', content: skillText('notes') },
    { name: 'notes/scripts/run.py', content: 'print(1)\n' },
    { name: 'notes/Größe/日本語.md', content: 'テスト' },
    { name: '__MACOSX/notes/._SKILL.md', content: 'x' },
  ]
  for (const [kind, pack] of [
    ['zip', async (entries: readonly TestEntry[]) => zip(entries)],
    ['tar.gz', tarGz],
  ] as const) {
    it(`as ${kind} is read with names in any script, without the folder around it and what macOS adds`, async () => {
      const { document, files } = await readArchive(await pack(good), { signal })
      expect(document.name).to.equal('notes')
      expect(files.map(({ path }) => path).sort()).to.deep.equal(['Größe/日本語.md', 'SKILL.md', 'scripts/run.py'])
      expect(new TextDecoder().decode(files.find(({ path }) => path === 'Größe/日本語.md')?.bytes)).to.equal('テスト')
    })

    const long = `${'a'.repeat(100)}/`.repeat(3)
    for (const [what, entries, reason] of [
      ['an absolute path', [main, { name: '/etc/passwd' }], /absolute/],
      ['a path that leads out', [main, { name: '../out.md' }], /relative path|dot segments/],
      ['a path that leads out further down', [main, { name: 'a/../../out.md' }], /relative path|dot segments/],
      ['a drive', [main, { name: 'C:/out.md' }], /absolute/],
      ['a backslash', [main, { name: 'a\\..\\out.md' }], /backslash|invalid characters/],
      ['a line feed in a name', [main, { name: 'a\nb.md' }], /control/],
      ['a name that turns its direction', [main, { name: 'a\u202egpj.md' }], /control, format/],
      [
        'a name in both Unicode forms',
        [main, { name: 'Gr\u00f6ße.md', content: '1' }, { name: 'Gro\u0308ße.md', content: '2' }],
        /the same/,
      ],
      ['another space', [main, { name: 'a\u00a0b.md' }], /space/],
      ['a path that is too long', [main, { name: `${long}b.md` }], /more than 200 characters/],
      ['a name that is too long', [main, { name: `${'ü'.repeat(70)}.md` }], /more than 120 bytes/],
      ['too many levels', [main, { name: 'a/b/c/d/e/f/g/h/i.md' }], /levels/],
      ['a name twice', [main, { name: 'a.md', content: '1' }, { name: 'a.md', content: '2' }], /the same/],
      ['names that differ by case', [main, { name: 'a.md' }, { name: 'A.md' }], /by case/],
      ['folders that differ by case', [main, { name: 'docs/a.md' }, { name: 'Docs/b.md' }], /by case/],
      ['a file that is a folder too', [main, { name: 'a', content: '1' }, { name: 'a/b.md' }], /the same/],
      ['an archive in it', [main, { name: 'more.bin', content: zip([main]) }], /archive in the archive/],
      [
        'a tar archive in it',
        [
          main,
          {
            name: 'more.bin',
            content: new Uint8Array(600)
              .fill(0x75, 257, 258)
              .fill(0x73, 258, 259)
              .fill(0x74, 259, 260)
              .fill(0x61, 260, 261)
              .fill(0x72, 261, 262),
          },
        ],
        /archive in the archive/,
      ],
      ['a file that is too large', [main, { name: 'a.bin', content: Buffer.alloc(limits.maxFileBytes + 1, 'ab') }], /bytes|times/],
      ['no SKILL.md', [{ name: 'README.md' }], /SKILL.md is missing/],
      [
        'two folders at its top',
        [
          { name: 'a/SKILL.md', content: skillText('a') },
          { name: 'b/SKILL.md', content: skillText('b') },
        ],
        /it has 2 skills \("a", "b"\).*install each of these folders/,
      ],
      ['a SKILL.md that is wrong', [{ name: 'SKILL.md', content: '---\nname: No.tes\n---\n' }], /SKILL.md:2: “name” is “No.tes”/],
    ] as const) {
      it(`as ${kind} is refused as a whole with ${what}`, async () => {
        expect(await refusal(await pack(entries))).to.match(reason)
      })
    }

    it(`as ${kind} has its names in their composed form`, async () => {
      const { files } = await readArchive(await pack([main, { name: 'Gro\u0308ße/Stra\u00dfe\u0301.md' }]), { signal })
      expect(files.map(({ path }) => path)).to.deep.equal(['SKILL.md', 'Gr\u00f6ße/Straß\u00e9.md'])
    })

    it(`as ${kind} of a repository gives the only skill in it, whatever the case of its file`, async () => {
      const entries = [
        { name: 'repo-main/README.md' },
        { name: 'repo-main/skills/notes/skill.md', content: skillText('notes') },
        { name: 'repo-main/skills/notes/docs/a.md' },
        { name: 'repo-main/skills/notes/._skill.md' },
        { name: 'repo-main/skills/notes/docs/sub/SKILL.md', content: 'a template' },
      ]
      const { files } = await readArchive(await pack(entries), { signal })
      expect(files.map(({ path }) => path)).to.deep.equal(['SKILL.md', 'docs/a.md', 'docs/sub/SKILL.md'])
    })

    it(`as ${kind} is refused with more files than a skill has`, async () => {
      const many = Array.from({ length: limits.maxFiles }, (_, index) => ({ name: `${index}.md` }))
      expect(await refusal(await pack([main, ...many]))).to.match(/more than 500 files/)
    })

    it(`as ${kind} is refused wherever it is cut`, async () => {
      const whole = await pack([
        main,
        { name: 'a.bin', content: Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * 7919) % 251)) },
      ])
      for (let length = 0; length < whole.byteLength; length += Math.max(1, Math.floor(whole.byteLength / 97)))
        expect(await refusal(whole.subarray(0, length)), `${length} of ${whole.byteLength}`).to.match(/^The skill is not taken/)
    })
  }

  for (const type of ['symlink', 'link', 'character-device', 'block-device', 'fifo'] as const)
    it(`as tar.gz is refused with an entry of the type ${type}`, async () => {
      expect(await refusal(await tarGz([main, { name: 'x', type, linkname: '/etc/passwd' }]))).to.match(/link or a device/)
    })

  for (const [what, mode] of [
    ['a link', 0o120_777],
    ['a device', 0o020_666],
    ['a FIFO', 0o010_666],
    ['a socket', 0o140_666],
  ] as const)
    it(`as zip is refused with ${what}`, async () => {
      expect(await refusal(zip([main, { name: 'x', content: '/etc/passwd', mode }]))).to.match(/link or a device/)
    })

  it('as zip has names of Windows and of macOS', async () => {
    const packed = zip([
      { name: 'notes\\SKILL.md', content: skillText('notes'), maker: 0 },
      { name: 'notes\\docs\\', maker: 0 },
      { name: 'notes\\docs\\a.md', maker: 0 },
      { name: 'CP437', rawName: Buffer.from([...Buffer.from('notes/'), 0x94, 0x6c]), maker: 0 },
      { name: 'UTF-8', rawName: Buffer.from('notes/Gr\u00f6ße.md') },
    ])
    const { files } = await readArchive(packed, { signal })
    expect(files.map(({ path }) => path)).to.deep.equal(['SKILL.md', 'docs/a.md', '\u00f6l', 'Gr\u00f6ße.md'])
    expect(await refusal(zip([main, { name: 'a\\..\\..\\out.md', maker: 0 }]))).to.match(/dot segments/)
    expect(await refusal(zip([main, { name: 'C:\\out.md', maker: 10 }]))).to.match(/absolute/)
  })

  it('as zip is refused with a NUL in a name, two names for one file, a wrong size, or encryption', async () => {
    expect(await refusal(zip([main, { name: 'a\0b.md' }]))).to.match(/control/)
    expect(await refusal(zip([main, { name: 'a.md', localName: 'b.md' }]))).to.match(/two names/)
    expect(await refusal(zip([main, { name: 'a.md', content: 'abc', size: 2 }]))).to.match(/too many bytes/)
    expect(await refusal(zip([main, { name: 'a.md', content: 'abc', encrypted: true }]))).to.match(/encrypted/)
  })

  it('of 100,000 files is refused at the first that is too many', async () => {
    expect(await refusal(await manyFiles(main, 100_000))).to.match(/more than 500 files/)
    const names = Array.from({ length: 60_000 }, (_, index) => ({ name: `${index}.md` }))
    expect(await refusal(zip([main, ...names]))).to.match(/more than 2000 entries/)
  })

  it('that is a bomb is refused before it has unfolded', async () => {
    const zeros = Buffer.alloc(limits.maxFileBytes)
    expect(await refusal(zip([main, { name: 'a.bin', content: zeros }]))).to.match(/grows more than 200 times/)
    expect(await refusal(await tarGz([main, { name: 'a.bin', content: zeros }]))).to.match(/grows more than 200 times/)
    // A gibibyte of zeros in a mebibyte: gzip members after one another.
    const member = gzipSync(Buffer.alloc(64 * 1_048_576))
    expect(await refusal(Buffer.concat(Array.from({ length: 16 }, () => member)))).to.match(
      /grows more than 200 times|bytes when it is unpacked/,
    )
    // Each file is small, all together are not.
    const noise = Buffer.alloc(
      1_048_576,
      Array.from({ length: 65_521 }, (_, index) => String.fromCharCode(33 + ((index * 7_919) % 89))).join(''),
    )
    const many = Array.from({ length: 17 }, (_, index) => ({ name: `${index}.bin`, content: noise }))
    expect(await refusal(zip([main, ...many]))).to.match(/bytes/)
    expect(await refusal(await tarGz([main, ...many]))).to.match(/bytes|times/)
  })

  it('is told from everything else by its first bytes', async () => {
    expect(await refusal(new TextEncoder().encode('#!/bin/sh\n'))).to.match(/neither a .zip nor a .tar.gz/)
    expect(await refusal(await tar([main]))).to.match(/neither/)
    expect(await refusal(gzipSync('not a tar'))).to.match(/not taken/)
    expect(await refusal(new Uint8Array(limits.maxArchiveBytes + 1))).to.match(/more than/)
  })
})
