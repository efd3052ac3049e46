import { expect } from 'chai'
import { startWorkingService, type WorkingService } from './support/working-service.js'
import type { Turn } from './support/working-upstream.js'

/** Makes a wheel and an archive for npm, without a network. */
const make = `import io, json, tarfile, zipfile
info = 'hello_for_test-1.0.dist-info/'
files = {
  'hello_for_test.py': 'text = "hello from a wheel"',
  info + 'METADATA': 'Metadata-Version: 2.1\\nName: hello_for_test\\nVersion: 1.0\\n',
  info + 'WHEEL': 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n',
}
files[info + 'RECORD'] = ''.join(name + ',,\\n' for name in [*files, info + 'RECORD'])
with zipfile.ZipFile('hello_for_test-1.0-py3-none-any.whl', 'w') as wheel:
  for name, text in files.items(): wheel.writestr(name, text)
with tarfile.open('hello.tgz', 'w:gz') as archive:
  for name, text in {
    'package.json': json.dumps({'name': 'hello-for-test', 'version': '1.0.0', 'exports': './index.mjs'}),
    'index.mjs': 'export const text = "hello from an archive"',
  }.items():
    entry = tarfile.TarInfo('package/' + name)
    entry.size = len(text)
    archive.addfile(entry, io.BytesIO(text.encode()))
`

const steps: readonly Turn[] = [
  { tool: 'python', arguments: { code: make } },
  { tool: 'install_packages', arguments: { language: 'python', packages: ['./hello_for_test-1.0-py3-none-any.whl'] } },
  { tool: 'python', arguments: { code: 'import hello_for_test; print(hello_for_test.text)', directory: 'below' } },
  { tool: 'install_packages', arguments: { language: 'node', packages: ['./hello.tgz'] } },
  { tool: 'node', arguments: { code: 'import { text } from "hello-for-test"; console.log(text, process.version)' } },
  { tool: 'list_files', arguments: { recursive: true } },
  { tool: 'read_file', arguments: { path: '.packages/python.txt' } },
  { tool: 'shell', arguments: { command: 'rm -r node_modules' } },
  { tool: 'node', arguments: { code: 'import { text } from "hello-for-test"; console.log(text)' } },
  { tool: 'shell', arguments: { command: 'pwd', directory: '../other' } },
]

describe('the packages of an agent in the sandbox', function () {
  this.timeout(120_000)
  let service: WorkingService

  before(async () => {
    const tools = ['shell', 'python', 'node', 'install_packages', 'list_files', 'read_file']
    service = await startWorkingService({ packages: (results) => steps[results.length] ?? 'Done.' }, tools)
  })
  after(() => service?.close())

  it('are installed from local files, used by its programs, and made again when they are broken', async () => {
    const results = await service.resultsOf('packages')
    if (!service.confines) {
      expect(results[1]).to.match(/^Code cannot run here because nothing would confine it/)
      return
    }
    expect(results[0]).to.match(/^Exit code 0 /)
    expect(results[1]).to.match(/^Installed: /)
    expect(results[2]).to.match(/hello from a wheel$/)
    expect(results[3]).to.match(/^Installed: /)
    expect(results[4]).to.include(`hello from an archive ${process.version}`)
    expect(results[5], 'the folders of packages are named and not entered')
      .to.match(/^\.venv\/$/m)
      .and.not.to.include('pyvenv.cfg')
    expect(results[6]).to.include('./hello_for_test-1.0-py3-none-any.whl')
    expect(results[8]).to.match(/hello from an archive$/)
    expect(results[9])
      .to.match(/path|workspace/i)
      .and.not.to.match(/^Exit code 0/)
  })
})
