import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { nodeLayout } from '../../packages/node-layout.js'
import { loopbackName } from '../../principals/principal-name.js'
import { startTools, type ToolsUnderTest } from '../../test-support/tools-under-test.js'

describe('the tools that run programs', () => {
  let under: ToolsUnderTest

  beforeEach(async () => {
    under = await startTools()
  })
  afterEach(() => under.stop())

  it('return output in the order in which it was written, with the exit code', async () => {
    const { text, isError } = await under.call('shell', { command: 'echo one; echo two >&2; echo three; exit 3' })
    expect(text).to.match(/^Exit code 3 after \d+\.\d s\.\none\ntwo\nthree$/)
    expect(isError).to.equal(true)
    const fine = await under.call('shell', { command: 'true' })
    expect(fine.text).to.match(/^Exit code 0 after .* s\.\n\(no output\)$/)
    expect(fine.isError).to.equal(false)
    expect(under.output()).to.equal('one\ntwo\nthree\n')
  })

  it('run in the workspace or a folder of it, in the zone of the person', async () => {
    const command = 'pwd; date -d @0 +%H:%M:%S'
    expect((await under.call('shell', { command }, { timezone: 'Asia/Tokyo' })).text).to.include(`${under.workspace}\n09:00:00`)
    expect((await under.call('shell', { command: 'pwd', directory: './src/deep/' })).text).to.include(`${under.workspace}/src/deep`)
  })

  it('name the files that a program made or changed, the new ones first, and no others', async () => {
    await mkdir(path.join(under.workspace, 'data'), { recursive: true })
    for (const name of ['kept.txt', 'data/kept.csv', 'changed.txt']) await writeFile(path.join(under.workspace, name), 'before')
    const quiet = await under.call('shell', { command: 'cat kept.txt' })
    expect(quiet.files).to.deep.equal([])
    const command =
      'echo after > changed.txt; mkdir -p charts/deep; echo 1 > charts/a.svg; echo 2 > charts/deep/b.svg; echo 3 > data/c.csv; touch -r kept.txt old.txt'
    const { files, text } = await under.call('shell', { command })
    expect([...files.slice(0, 3)].sort()).to.deep.equal(['charts/a.svg', 'data/c.csv', 'old.txt'])
    expect(files.slice(3)).to.deep.equal(['charts/deep/b.svg', 'changed.txt'])
    expect(text, 'the model reads nothing of it').to.not.include('charts')
    expect((await under.call('shell', { command: 'echo 4 > made.txt; exit 1' })).files, 'of a failed one too').to.deep.equal(['made.txt'])
    expect((await under.call('shell', { command: 'mv made.txt moved.txt; rm kept.txt' })).files).to.deep.equal(['moved.txt'])
    expect((await under.call('python', { code: 'open("plot.png", "w").write("x")' })).files).to.deep.equal(['plot.png'])
    expect((await under.call('node', { code: 'require("node:fs").writeFileSync("page.html", "x")' })).files).to.deep.equal(['page.html'])
  })

  it('name nothing of packages, caches, hidden names and attachments, and no links', async () => {
    const folders = [
      '.tmp',
      '.cache',
      'node_modules/x',
      '__pycache__',
      'attachments',
      '.venv/bin',
      'my-environment/lib',
      'sub/node_modules',
    ]
    const command = [
      ...folders.map((folder) => `mkdir -p ${folder}; echo x > ${folder}/file.txt`),
      'echo home > my-environment/pyvenv.cfg; echo x > .hidden; ln -s /etc/hostname link.txt; ln -s /etc outside',
      'mkdir -p sub/attachments; echo x > sub/attachments/named.txt',
    ].join('\n')
    expect((await under.call('shell', { command })).files).to.deep.equal(['sub/attachments/named.txt'])
  })

  it('name twenty files at most', async () => {
    const { files } = await under.call('shell', { command: 'for i in {1..30}; do echo x > "file-$i.txt"; done' })
    expect(new Set(files).size).to.equal(20)
  })

  it('run bash, with lines of any kind', async () => {
    const { text } = await under.call('shell', { command: 'for i in {1..3}; do\n  echo "$i"\ndone\ncat <<"END"\n$HOME\nEND' })
    expect(text).to.include('1\n2\n3\n$HOME')
  })

  it('keep escape sequences and overwritten lines from the model, and replace what is not UTF-8', async () => {
    const { text } = await under.call('shell', { command: `printf '\\033[31mred\\033[0m 10%%\\r90%%\\nbad \\377 byte\\n'` })
    expect(text).to.match(/\n90%\nbad \ufffd byte$/)
  })

  it('cut long output in the middle, and say how to read the rest', async () => {
    const { text } = await under.call('shell', { command: 'seq 1 200000' })
    expect(text.length).to.be.below(32_000)
    expect(text)
      .to.match(/\n1\n2\n3\n/)
      .and.to.match(/\n199999\n200000$/)
    const [, id = '', offset = ''] = /read_process \{"id":"([^"]+)","offset":(\d+)\}/.exec(text) ?? []
    // The beginning is no longer among the last mebibyte.
    const rest = await under.call('read_process', { id, offset: Number(offset) })
    expect(rest.text).to.match(/no longer kept/)
    const next = Number(/Continue with offset (\d+)/.exec(rest.text)?.[1])
    expect((await under.call('read_process', { id, offset: next })).text).to.match(/\n\d+\n\d+\n/)
    const shorter = await under.call('shell', { command: 'seq 1 20000' })
    const [, name = '', from = ''] = /"id":"([^"]+)","offset":(\d+)/.exec(shorter.text) ?? []
    const shown = /(\d+)\n\[cut/.exec(shorter.text)?.[1]
    const more = await under.call('read_process', { id: name, offset: Number(from) })
    expect(more.text, 'nothing is between them').to.include(`\n${Number(shown) + 1}\n`)
  })

  it('end at the time limit, with all that they started', async () => {
    const { text, isError } = await under.call('shell', { command: 'echo begun; sleep 600 & sleep 600', timeout_seconds: 1 })
    expect(text).to.match(/^Ended after \d+\.\d s: time limit\..*\nbegun$/)
    expect(isError).to.equal(true)
  })

  it('end when the call is cancelled', async () => {
    const controller = new AbortController()
    const call = under.call(
      'shell',
      { command: 'echo begun; sleep 600' },
      { signal: controller.signal, output: async () => controller.abort() },
    )
    expect(
      await call.then(
        () => 'ended',
        (error: Error) => error.name,
      ),
    ).to.equal('AbortError')
    const [view] = under.sandbox.list({ userId: 'user-1' })
    expect((await under.sandbox.find('user-1', view?.id ?? '')?.exited)?.reason).to.be.oneOf(['stopped', 'killed'])
  })

  it('run Python code and files, with arguments, and show tracebacks', async () => {
    expect((await under.call('python', { code: 'import sys\nprint(6 * 7, sys.argv[1:])', arguments: ['--x', 'a b'] })).text).to.match(
      /^Exit code 0 .*\n42 \['--x', 'a b'\]$/,
    )
    await writeFile(path.join(under.workspace, 'broken.py'), 'print("before")\nraise ValueError("wrong")\n')
    const { text, isError } = await under.call('python', { file: 'broken.py' })
    expect(text)
      .to.match(/^Exit code 1 .*\nbefore\nTraceback/)
      .and.to.include('line 2')
      .and.to.include('ValueError: wrong')
    expect(isError).to.equal(true)
  })

  it('run JavaScript as a module or a script, and files', async () => {
    const module = `import { basename } from 'node:path'\nconsole.log(basename('/a/b'), await Promise.resolve(1), process.argv.slice(1))`
    expect((await under.call('node', { code: module, arguments: ['-x'] })).text).to.match(/^Exit code 0 .*\nb 1 \[ '-x' \]$/)
    expect((await under.call('node', { code: `console.log(typeof require('fs').readFileSync)` })).text).to.match(/\nfunction$/)
    await writeFile(path.join(under.workspace, '-odd.mjs'), 'console.log(process.argv.slice(2))')
    expect((await under.call('node', { file: '-odd.mjs', arguments: ['1'] })).text).to.match(/\n\[ '1' \]$/)
    const broken = await under.call('node', { code: 'null.x' })
    expect(broken.isError).to.equal(true)
    expect(broken.text).to.include('TypeError')
  })

  it('want either code or a file', async () => {
    for (const input of [{}, { code: '1', file: 'a.py' }])
      expect(await under.call('python', input)).to.deep.equal({ text: 'Give either code or file, and not both.', isError: true, files: [] })
  })

  it('show the whole command to the person who approves it, with all that a screen would hide', () => {
    const purpose = (name: string, input: object) => under.tool(name).purpose?.(input as never)
    expect(purpose('shell', { command: 'ls\nrm -rf x \u001b[2K\u202etxt' })).to.equal('Run: ls ⏎ rm -rf x <U+001B>[2K<U+202E>txt')
    expect(purpose('python', { code: 'print(1)', arguments: ['a'] })).to.equal('Run Python: print(1) (with a)')
    expect(purpose('node', { file: 'a.mjs', arguments: ['b'] })).to.equal('Run JavaScript: a.mjs b')
    expect(purpose('install_packages', { language: 'python', packages: ['a', 'b==1'] })).to.equal('Install for Python: a b==1')
    expect(under.tool('shell').effect).to.equal('unsafe')
  })

  it('run no .bashrc of the workspace first', async () => {
    await mkdir(under.workspace, { recursive: true })
    await writeFile(path.join(under.workspace, '.bashrc'), 'echo planted\ncat() { echo planted; }\n')
    for (const command of ['cat .bashrc | wc -l', 'cat .bashrc']) {
      const { text } = await under.call('shell', { command })
      expect(text, command).not.to.match(/^planted$/m)
    }
  })

  it('run a plain command as it is, by a program of the machine', async () => {
    const folders = ['.venv/bin', 'node_modules/.bin', '.', 'reports']
    for (const folder of folders) {
      await mkdir(path.join(under.workspace, folder), { recursive: true })
      for (const name of ['ls', 'bash', 'sh'])
        await writeFile(path.join(under.workspace, folder, name), '#!/bin/sh\necho planted\n', { mode: 0o755 })
    }
    for (const file of ['.bashrc', '.profile', '.bash_profile', '.env'])
      await writeFile(path.join(under.workspace, file), 'echo planted\nls() { echo planted; }\nalias ls="echo planted"\n')
    // A repair would install what the list of the workspace names.
    const layout = nodeLayout(process.execPath, 3)
    await mkdir(path.join(under.workspace, path.dirname(layout.mark)), { recursive: true })
    await writeFile(path.join(under.workspace, layout.mark), '')
    const before = under.open.requests.length
    for (const input of [
      { command: 'ls -a' },
      { command: 'ls', directory: './reports/' },
      { command: '  ls  -- "."', timeout_seconds: 60, offline: true },
    ]) {
      const { text, isError } = await under.call('shell', input)
      expect(text, input.command)
        .to.match(/^Exit code 0 /)
        .and.not.to.include('planted')
      expect(text).to.match(/^ls$/m)
      expect(isError).to.equal(false)
    }
    const started = under.open.requests.slice(before)
    expect(started.map(({ command }) => command.slice(4))).to.deep.equal([['ls', '-a'], ['ls'], ['ls', '--', '.']])
    for (const { environment } of started) expect(environment['PATH']).not.to.include(under.workspace)
    // What is not plain finds the programs of packages first, as before.
    expect((await under.call('shell', { command: 'ls; true' })).text).to.include('planted')
  })

  it('name a plain command in its folder, and nothing else', () => {
    const shell = under.tool('shell')
    const scopes = (input: JsonObject) => shell.scopes?.(input) ?? []
    expect(scopes({ command: 'ls -la', directory: './reports/' })).to.deep.equal([
      { key: '["program","ls","reports"]', label: 'Run ls in the folder “reports”, with any arguments' },
    ])
    expect(scopes({ command: 'cat a' })).to.deep.equal([
      { key: '["program","cat",""]', label: 'Run cat in the workspace, with any arguments' },
    ])
    const key = (input: JsonObject) => scopes(input)[0]?.key
    for (const directory of ['reports', './reports', '././reports', 'reports/', 'reports//'])
      expect(key({ command: 'ls x', directory, timeout_seconds: 5, offline: true }), directory).to.equal('["program","ls","reports"]')
    for (const directory of ['', '.', './']) expect(key({ command: 'ls', directory }), directory).to.equal('["program","ls",""]')
    expect(key({ command: 'ls', directory: 'o\u0308l' })).to.equal(key({ command: 'ls', directory: '\u00f6l' }))
    expect(new Set(['a', 'a/b', 'A', 'a.b'].map((directory) => key({ command: 'ls', directory })))).to.have.property('size', 4)

    for (const directory of [
      '/',
      '//',
      '/etc',
      '..',
      '../a',
      'a/..',
      'a/../b',
      'a//b',
      'a/./b',
      '~',
      '~/a',
      'a b',
      'a\nb',
      'a\u202eb',
      'a\u200bb',
      'a”, b',
      'x'.repeat(121),
    ])
      expect(scopes({ command: 'ls', directory }), JSON.stringify(directory)).to.deep.equal([])
    for (const more of [{ background: true }, { background: false }, { credentials: ['a'] }, { credentials: [] }, { anything: 1 }])
      expect(scopes({ command: 'ls', ...more }), JSON.stringify(more)).to.deep.equal([])
    for (const command of ['ls; id', 'env ls', "bash -c 'ls'", 'npm test', './ls', 'ls ..'])
      expect(scopes({ command }), command).to.deep.equal([])
  })

  it('say honestly what exactly a call is, and remember nothing of a file and of input', () => {
    const exactly = (name: string, input: JsonObject) => under.tool(name).exactly?.(input)
    const changing = 'Exactly this call; the files and programs that it uses may have changed by then'
    expect(exactly('shell', { command: 'ls -la' })).to.equal('Exactly this call')
    for (const command of ['./build.sh', 'python build.py', 'ls | sh']) expect(exactly('shell', { command }), command).to.equal(changing)
    for (const name of ['python', 'node']) {
      expect(exactly(name, { code: '1' })).to.equal(changing)
      expect(exactly(name, { file: 'a' })).to.equal(false)
      expect(exactly(name, { file: 'a', code: '1' })).to.equal(false)
      expect(under.tool(name).scopes?.({ code: '1' })).to.deep.equal([])
    }
    expect(exactly('write_process', { id: 'a', text: 'x' })).to.equal(false)
    expect(under.tool('write_process').scopes?.({ id: 'a', text: 'x' })).to.deep.equal([])
    expect(exactly('install_packages', { language: 'node', packages: ['a'] })).to.match(/^Exactly this call; what the packages contain may/)
  })

  it('pass on the wish to be offline', async () => {
    await under.call('shell', { command: 'true', offline: true })
    expect(under.open.requests.at(-1)?.network.access).to.equal('off')
  })

  it('start what they start for the agents for which the call is made, and make nothing again then', async () => {
    // One that is not there any more permits nothing.
    const callers = [{ id: 'deleted' }]
    const layout = nodeLayout(process.execPath, 0)
    // An installation was cut off: the agent's own call would make the environment again first.
    await mkdir(path.join(under.workspace, path.dirname(layout.mark)), { recursive: true })
    await writeFile(path.join(under.workspace, layout.mark), '')
    const calls: readonly (readonly [string, JsonObject])[] = [
      ['shell', { command: 'true' }],
      ['node', { code: '1' }],
      ['python', { code: '1' }],
      ['install_packages', { language: 'node', packages: ['./missing.tgz'] }],
    ]
    for (const [name, input] of calls) {
      const before = under.open.requests.length
      const { text } = await under.call(name, input, { callers })
      expect(under.open.requests, name).to.have.length(before + 1)
      const { network } = under.open.requests.at(-1) ?? expect.fail(`${name} started nothing.`)
      expect([network.access, network.loopback], name).to.deep.equal(['off', loopbackName(['deleted'], 'off')])
      if (name !== 'install_packages') expect(text, name).to.contain('you work for another agent')
    }
    await under.call('shell', { command: 'true' })
    const { network } = under.open.requests.at(-1) ?? expect.fail('The shell started nothing.')
    expect([network.access, network.loopback]).to.deep.equal(['some', undefined])
  })
})

describe('the tools that run programs where nothing confines', () => {
  it('refuse, and say why', async () => {
    const under = await startTools({ driver: 'none' })
    try {
      const { text, isError } = await under.call('shell', { command: 'true' })
      expect(isError).to.equal(true)
      expect(text).to.match(/^Code cannot run here because nothing would confine it/)
    } finally {
      await under.stop()
    }
  })

  it('say so in every result where the confinement of files is lifted', async () => {
    const under = await startTools({ config: { disabled: true } })
    try {
      for (const [name, input] of [
        ['shell', { command: 'true' }],
        ['python', { code: '1' }],
        ['node', { code: '1' }],
        ['shell', { command: 'true', background: true }],
      ] as const)
        expect((await under.call(name, input)).text, name).to.include('Note: sandbox.disabled is set')
    } finally {
      await under.stop()
    }
  })
})
