import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { contributionsToken } from '@agent-service/kernel/testing/tokens'
import { type JsonObject, validate } from '@agent-service/sdk'
import { type Tool, type ToolContext, type ToolResult, tools } from '@agent-service/sdk/contracts/tool'
import { describeTool, type ToolExample } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'

const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const names = ['read_file', 'write_file', 'edit_file', 'list_files', 'search_files', 'delete_file', 'move_file'] as const
type Name = (typeof names)[number]

/** Safe to be made again and again: the workspace is as before for each. */
const examples: Readonly<Record<Name, readonly ToolExample[]>> = {
  read_file: [
    { title: 'a text', input: { path: 'notes.md', from_line: 2 } },
    { title: 'nothing', input: { path: 'absent' }, isError: true },
  ],
  write_file: [{ title: 'a new file', input: { path: 'a/new.md', content: 'text' } }],
  edit_file: [
    { title: 'a word', input: { path: 'notes.md', old_text: 'second', new_text: '2nd' } },
    { title: 'a word that is not there', input: { path: 'notes.md', old_text: 'fifth', new_text: '5th' }, isError: true },
  ],
  list_files: [{ title: 'the workspace', input: { recursive: true } }],
  search_files: [
    { title: 'an expression', input: { query: '^s.cond', regular_expression: true } },
    { title: 'no expression', input: { query: '(', regular_expression: true }, isError: true },
  ],
  delete_file: [{ title: 'nothing', input: { path: 'absent' }, isError: true }],
  move_file: [{ title: 'nothing', input: { from: 'absent', to: 'there' }, isError: true }],
}

describe('the tools for files', () => {
  let kernel: TestKernel
  let ada: Api
  let workspaces: string
  let root: string
  let context: ToolContext

  before(async () => {
    kernel = await createTestKernel()
    ada = await signUp(kernel.url, 'ada')
    workspaces = path.join(kernel.folder, 'data', 'users', 'ada', 'workspaces')
    root = path.join(workspaces, 'assistant')
    context = {
      ...{ callId: 'call-1', runId: 'run-1', chatId: 'chat-1', agentId: 'agent-1', agentHandle: 'agent', depth: 0, timezone: 'UTC' },
      ...{ userId: ada.userId, userHandle: 'ada', workspace: 'assistant', signal: new AbortController().signal },
      progress: async () => undefined,
      output: async () => undefined,
    }
  })
  after(() => kernel.stop())
  beforeEach(async () => {
    await rm(workspaces, { recursive: true, force: true })
    await mkdir(path.join(root, 'src', 'deep'), { recursive: true })
    await mkdir(path.join(workspaces, 'other'))
    await writeFile(path.join(root, 'notes.md'), 'first\nsecond\nthird\n')
    await writeFile(path.join(root, 'src', 'deep', 'main.ts'), 'export const answer = 42\n')
    await writeFile(path.join(workspaces, 'other', 'secret.md'), 'second canary')
  })

  const toolOf = (name: Name): Tool => {
    const found = kernel.container
      .resolve(contributionsToken)
      .list(tools)
      .find(({ key }) => key === name)
    if (!found) throw new Error(`There is no tool ${name}.`)
    return found.value
  }
  const call = async (name: Name, input: JsonObject, more: Partial<ToolContext> = {}): Promise<ToolResult> => {
    const tool = toolOf(name)
    expect(validate(tool.parameters, input), `${name} ${JSON.stringify(input)}`).to.deep.equal([])
    return tool.execute(input, { ...context, ...more })
  }
  const textOf = ({ content }: ToolResult): string =>
    content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')
  const says = async (name: Name, input: JsonObject): Promise<string> => {
    const result = await call(name, input)
    expect(result.isError, textOf(result)).to.equal(undefined)
    return textOf(result)
  }
  const refuses = async (name: Name, input: JsonObject): Promise<string> => {
    const result = await call(name, input)
    expect(result.isError, textOf(result)).to.equal(true)
    return textOf(result)
  }
  const onDisk = (name: string): Promise<string> => readFile(path.join(root, name), 'utf8')

  for (const name of names)
    describeTool({
      name,
      create: () => toolOf(name),
      examples: examples[name],
      secrets: [],
      get context() {
        return context
      },
    })

  it('describe a call in one line', () => {
    const purposes: readonly (readonly [Name, JsonObject, string])[] = [
      ['read_file', { path: 'a.md' }, 'Read a.md'],
      ['read_file', { path: 'a.md', to_line: 9 }, 'Read a.md, lines 1 to 9'],
      ['write_file', { path: 'a\nb', content: 'four' }, 'Write a b (4 characters)'],
      ['edit_file', { path: 'a.md', all: true }, 'Edit a.md, in every place'],
      ['list_files', {}, 'List the workspace'],
      ['search_files', { query: 'x', path: 'src' }, 'Search src for “x”'],
      ['delete_file', { path: 'src', recursive: true }, 'Delete src with everything in it'],
      ['move_file', { from: 'a', to: 'b' }, 'Move a to b'],
    ]
    for (const [name, input, expected] of purposes) expect(toolOf(name).purpose?.(input)).to.equal(expected)
    expect(Object.fromEntries(names.map((name) => [name, toolOf(name).effect]))).to.deep.equal({
      ...{ read_file: 'read', list_files: 'read', search_files: 'read', delete_file: 'unsafe' },
      ...{ write_file: 'idempotent', edit_file: 'idempotent', move_file: 'idempotent' },
    })
  })

  it('read lines, and report omitted ones', async () => {
    expect(await says('read_file', { path: './notes.md' })).to.equal('notes.md, lines 1 to 3 of 3.\nfirst\nsecond\nthird\n')
    expect(await says('read_file', { path: 'notes.md', from_line: 2, to_line: 2 })).to.equal('notes.md, lines 2 to 2 of 3.\nsecond\n')
    expect(await refuses('read_file', { path: 'notes.md', from_line: 400 }))
      .to.contain('no line 400')
      .and.contain('3 lines')
    expect(await refuses('read_file', { path: 'notes.md', from_line: 3, to_line: 2 })).to.contain('in order')
    await writeFile(path.join(root, 'long'), Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join('\n'))
    expect(await says('read_file', { path: 'long' })).to.match(/^long, lines 1 to 2000 of 5000\. Cut here: continue with from_line 2001\./)
    expect(await says('read_file', { path: 'long', from_line: 4_000 })).to.match(/^long, lines 4000 to 5000 of 5000\.\nline 4000\n/)
    await writeFile(path.join(root, 'wide'), `${'x'.repeat(50_000)}\n${'y'.repeat(50_000)}\n${'z'.repeat(300_000)}\nend`)
    expect(await says('read_file', { path: 'wide' })).to.match(/^wide, lines 1 to 1 of 4\. Cut here: continue with from_line 2\./)
    expect(await says('read_file', { path: 'wide', from_line: 3 }))
      .to.contain('the beginning of line 3 of 4')
      .and.contain('from_line 4')
    await writeFile(path.join(root, 'empty'), '')
    expect(await says('read_file', { path: 'empty' })).to.equal('empty is empty.')
  })

  it('show images, and no other bytes', async () => {
    await writeFile(path.join(root, 'dot.dat'), pixel)
    const { content } = await call('read_file', { path: 'dot.dat' })
    expect(content[1]).to.deep.equal({ type: 'image', media_type: 'image/png', data: pixel.toString('base64') })
    await writeFile(path.join(root, 'large.png'), Buffer.concat([pixel, Buffer.alloc(5 * 1024 * 1024)]))
    expect(await refuses('read_file', { path: 'large.png' })).to.contain('cannot be shown')
    await writeFile(path.join(root, 'bytes'), Buffer.from([0x61, 0xff, 0]))
    expect(await refuses('read_file', { path: 'bytes' })).to.contain('neither UTF-8 text nor a document')
    await writeFile(path.join(root, 'huge'), '')
    await truncate(path.join(root, 'huge'), 2 ** 40)
    expect(await refuses('read_file', { path: 'huge' })).to.contain('has more than 10485760 bytes')
  })

  it('suggest similar names for a missing file', async () => {
    expect(await refuses('read_file', { path: 'note.md' })).to.contain('Did you mean “notes.md”?')
    expect(await refuses('edit_file', { path: 'src/deep/mian.ts', old_text: 'a', new_text: 'b' })).to.contain('“src/deep/main.ts”')
    expect(await refuses('read_file', { path: 'entirely-else' })).to.contain('The workspace has: notes.md, src/')
    expect(await refuses('read_file', { path: 'lib/x' })).to.contain('no folder “lib” either')
    expect(await refuses('read_file', { path: 'src' }))
      .to.contain('is a folder')
      .and.contain('list_files')
    expect(await refuses('list_files', { path: 'notes.md' })).to.contain('is a file, not a folder')
    expect(await refuses('delete_file', { path: 'notes' })).to.contain('“notes.md”')
  })

  it('name the files that they make or change, and no others', async () => {
    const filesOf = async (name: Name, input: JsonObject) => (await call(name, input)).files?.map(({ path: named }) => named)
    expect(await filesOf('write_file', { path: './made/new.md', content: 'one two' })).to.deep.equal(['made/new.md'])
    expect(await filesOf('edit_file', { path: 'made/new.md', old_text: 'two', new_text: 'three' })).to.deep.equal(['made/new.md'])
    expect(await filesOf('edit_file', { path: 'made/new.md', old_text: 'absent', new_text: 'x' })).to.equal(undefined)
    expect(await filesOf('move_file', { from: 'made/new.md', to: 'made/moved.md' })).to.deep.equal(['made/moved.md'])
    expect(await filesOf('move_file', { from: 'made', to: 'elsewhere' }), 'a folder').to.equal(undefined)
    await symlink('elsewhere', path.join(root, 'alias'))
    expect(await filesOf('write_file', { path: 'alias/moved.md', content: 'x' }), 'the real path').to.deep.equal(['elsewhere/moved.md'])
    expect(await filesOf('read_file', { path: 'elsewhere/moved.md' })).to.equal(undefined)
    expect(await filesOf('delete_file', { path: 'elsewhere/moved.md' })).to.equal(undefined)
    expect(await filesOf('write_file', { path: '../out.md', content: 'x' })).to.equal(undefined)
  })

  it('write whole files, twice with the same outcome', async () => {
    expect(await says('write_file', { path: 'a/b.md', content: 'é' })).to.equal('Made a/b.md: 2 bytes.')
    expect(await says('write_file', { path: 'a/b.md', content: 'new' })).to.equal('Replaced a/b.md: 3 bytes.')
    expect(await onDisk('a/b.md')).to.equal('new')
    expect(await refuses('write_file', { path: 'a/b.md', content: 'other', must_be_new: true })).to.contain('Choose another name')
    for (let attempt = 0; attempt < 2; attempt += 1) await says('write_file', { path: 'once', content: 'x', must_be_new: true })
    expect([await onDisk('a/b.md'), await onDisk('once')]).to.deep.equal(['new', 'x'])
    expect(await refuses('write_file', { path: 'src', content: 'x' })).to.contain('is a folder')
    expect(await refuses('write_file', { path: 'notes.md/x', content: 'x' })).to.contain('is not a folder')
  })

  it('edit a text that occurs once, twice with the same outcome, and report obstacles', async () => {
    const edit = { path: 'notes.md', old_text: 'second\n', new_text: 'second\nand a half\n' }
    expect(await says('edit_file', edit)).to.equal('Edited notes.md in 1 place (line 2).')
    expect(await says('edit_file', edit)).to.contain('Nothing was changed')
    expect(await onDisk('notes.md')).to.equal('first\nsecond\nand a half\nthird\n')
    expect(await refuses('edit_file', { path: 'notes.md', old_text: 'i', new_text: 'j' }))
      .to.contain('occurs 2 times')
      .and.contain('line 1, 4')
    expect(await says('edit_file', { path: 'notes.md', old_text: 'i', new_text: 'j', all: true })).to.contain('2 places')
    expect(await refuses('edit_file', { path: 'notes.md', old_text: '  second\nand', new_text: 'x' })).to.contain(
      'Its first line matches line 2',
    )
    await writeFile(path.join(root, 'dos'), 'a\r\nb\r\n')
    expect(await refuses('edit_file', { path: 'dos', old_text: 'a\nb', new_text: 'x' })).to.contain('CR LF')
    expect(await onDisk('notes.md')).to.equal('fjrst\nsecond\nand a half\nthjrd\n')
  })

  it('list names, deep and by pattern', async () => {
    await symlink('src', path.join(root, 'link'))
    await promisify(execFile)('mkfifo', [path.join(root, 'pipe')])
    expect(await says('list_files', {})).to.equal(
      '4 names in the workspace.\nlink  (symbolic link)\nnotes.md  19 bytes\npipe  (not a regular file)\nsrc/',
    )
    expect(await says('list_files', { pattern: '*.ts' })).to.equal('1 name in the workspace.\nsrc/deep/main.ts  25 bytes')
    expect(await says('list_files', { path: 'src/', pattern: 'deep/**' })).to.contain('src/deep/main.ts')
    expect(await says('list_files', { path: '.', pattern: 'none*' })).to.equal('Nothing in the workspace.')
    await mkdir(path.join(root, 'many'))
    for (let index = 0; index < 600; index += 1) await writeFile(path.join(root, 'many', `f${index}`), '')
    expect(await says('list_files', { path: 'many' })).to.match(/^500 names in “many”\. Cut here/)
  })

  it('search texts and expressions, and end endless searches', async () => {
    expect(await says('search_files', { query: 'second' })).to.equal(
      '1 line found for “second” in 2 text files searched.\nnotes.md:2: second',
    )
    expect(await says('search_files', { query: 'ANSWER', ignore_case: true, pattern: '*.ts' })).to.contain('src/deep/main.ts:1: export')
    expect(await says('search_files', { query: '= \\d+$', regular_expression: true, path: 'src' })).to.contain('src/deep/main.ts:1:')
    expect(await says('search_files', { query: 'a.b' })).to.contain('No line found')
    expect(await says('search_files', { query: 'i', max_results: 1 })).to.contain('there may be more lines')
    await writeFile(path.join(root, 'bomb'), `${'a'.repeat(90)}ba\n`.repeat(20_000))
    expect(await says('search_files', { query: '^(a+)+$', regular_expression: true, path: 'src' })).to.contain('No line found')
    expect(await refuses('search_files', { query: 'a(?=b)', regular_expression: true })).to.match(
      /RE2 syntax, which does not support look-around.* Instead, write out/,
    )
    const controller = new AbortController()
    const stopped = call('search_files', { query: '^(a?){1000}b$', regular_expression: true }, { signal: controller.signal }).catch(
      (error: unknown) => error,
    )
    setTimeout(() => controller.abort(new Error('stopped')), 300)
    expect(await stopped)
      .to.be.an('error')
      .with.property('message', 'stopped')
  })

  it('move and delete, and never overwrite', async () => {
    expect(await says('move_file', { from: 'src', to: 'lib/code' })).to.equal('Moved src to lib/code.')
    expect(await refuses('move_file', { from: 'src', to: 'lib/code' })).to.contain('may have been moved already')
    expect(await refuses('move_file', { from: 'lib/code/deep/main.ts', to: 'notes.md' })).to.contain('already exists')
    expect(await refuses('delete_file', { path: 'lib' })).to.contain('not empty')
    expect(await says('delete_file', { path: 'lib', recursive: true })).to.equal('Deleted lib.')
    expect(await readdir(root)).to.deep.equal(['notes.md'])
    expect(await refuses('delete_file', { path: '.', recursive: true })).to.contain('cannot be deleted')
  })

  it('5.3.2 reach no other workspace, whatever path or link is tried', async () => {
    await symlink('../other', path.join(root, 'near'))
    for (const place of ['../other/secret.md', 'src/../../other/secret.md', '/etc/passwd', 'near/secret.md', '.\\x', 'a\0', '..']) {
      for (const [name, input] of [
        ['read_file', { path: place }],
        ['write_file', { path: place, content: 'x' }],
        ['edit_file', { path: place, old_text: 'canary', new_text: 'x' }],
        ['list_files', { path: place }],
        ['search_files', { path: place, query: 'canary' }],
        ['delete_file', { path: place, recursive: true }],
        ['move_file', { from: place, to: 'stolen' }],
        ['move_file', { from: 'notes.md', to: place }],
      ] as const)
        expect(await refuses(name, input), `${name} ${place}`).to.not.contain('second canary')
    }
    expect(await says('search_files', { query: 'canary' })).to.contain('No line found')
    expect(await readFile(path.join(workspaces, 'other', 'secret.md'), 'utf8')).to.equal('second canary')
    expect(await readdir(path.join(workspaces, 'other'))).to.deep.equal(['secret.md'])
    for (const workspace of ['', '..', 'other/..', 'a/b']) {
      const failed = await call('list_files', {}, { workspace }).catch((error: unknown) => error)
      expect(failed instanceof Error || (failed as ToolResult).isError, workspace).to.equal(true)
    }
  })

  it('do only what policies permit, also in searches and inside of folders', async () => {
    await writeFile(path.join(root, 'src', '.env'), 'second key')
    const forbid = async (text: string): Promise<string> => {
      const { status, body } = await ada.request('POST', '/api/admin/policies', { text, description: '', enabled: true })
      expect(status, JSON.stringify(body)).to.equal(201)
      return String(body['id'])
    }
    const ids = [
      await forbid('forbid (principal is Agent, action == Action::"read_file", resource is File) when { resource.path like "*/.env" };'),
      await forbid(
        'forbid (principal is Agent, action == Action::"write_file", resource is File) when { resource.path like "*/notes.md" };',
      ),
    ]
    try {
      expect(await refuses('read_file', { path: 'src/.env' })).to.contain('do not let you read “src/.env”')
      expect(await refuses('edit_file', { path: 'src/.env', old_text: 'key', new_text: 'x' })).to.contain('do not let you read')
      const found = await says('search_files', { query: 'second' })
      expect(found).to.contain('notes.md:2').and.contain('you may not read some of the files').and.not.contain('second key')
      expect(await refuses('move_file', { from: 'src', to: 'open' })).to.contain('“src/.env”')
      expect(await refuses('move_file', { from: 'src/.env', to: 'open' })).to.contain('do not let you read')
      for (const [name, input] of [
        ['write_file', { path: 'notes.md', content: 'x' }],
        ['edit_file', { path: 'notes.md', old_text: 'first', new_text: 'x' }],
        ['delete_file', { path: 'notes.md' }],
        ['move_file', { from: 'notes.md', to: 'x' }],
        ['move_file', { from: 'src/deep/main.ts', to: 'src/notes.md' }],
      ] as const)
        expect(await refuses(name, input), name).to.contain('do not let you change')
      expect([await onDisk('notes.md'), await onDisk('src/.env')]).to.deep.equal(['first\nsecond\nthird\n', 'second key'])
    } finally {
      for (const id of ids) await ada.request('DELETE', `/api/admin/policies/${id}`)
    }
    expect(await says('read_file', { path: 'src/.env' })).to.contain('second key')
    const nobody = await call('read_file', { path: 'notes.md' }, { userId: 'nobody' })
    expect([nobody.isError, textOf(nobody)]).to.deep.equal([true, textOf(nobody).replace('second', '')])
  })
})
