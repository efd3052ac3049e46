import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { readZip } from '../export/support/read-zip.js'
import { startWorkingService, type WorkingService } from '../sandbox/support/working-service.js'
import type { Turn } from '../sandbox/support/working-upstream.js'
import { confirm } from '../support/api.js'
import { encodingsIn, encodingsOf } from './support/encodings.js'

/** Signs that URLs, HTML, JSON and shells all escape. */
const secret = `tok_${randomBytes(21).toString('base64url').replaceAll(/[-_]/g, 'x')}/&<'"$+q9`

/** Prints the secret in all encodings, each also in two pieces, and throws it away as an error. */
const code = `const encodingsOf = ${encodingsOf.toString()}
const secret = process.env.CANARY_TOKEN
require('node:fs').writeFileSync('kept', secret)
const print = async () => {
  for (const [name, text] of Object.entries(encodingsOf(secret))) {
    process.stdout.write(name + ' <' + text + '>\\n')
    process.stdout.write('again <' + text.slice(0, text.length / 2))
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.stdout.write(text.slice(text.length / 2) + '>\\n')
  }
  console.log(JSON.stringify(encodingsOf(secret)))
  console.error(new Error('It failed with ' + secret).stack)
}
print().then(() => console.log('printed ' + secret.length + ' characters'))`
const command = `node - <<'END'\n${code}\nEND`

function print(results: readonly string[]): Turn {
  const [, started = ''] = results
  const id = /as process (\S+?)\. /.exec(started)?.[1] ?? 'none'
  const steps: readonly Turn[] = [
    { tool: 'shell', arguments: { command, credentials: ['canary'], timeout_seconds: 60 } },
    { tool: 'shell', arguments: { command: `${command}\nexec sleep 600`, credentials: ['canary'], background: true } },
    { tool: 'read_process', arguments: { id, offset: 0, wait_seconds: 30 } },
    { tool: 'read_process', arguments: { id, offset: 17, wait_seconds: 1 } },
    { tool: 'shell', arguments: { command: 'cat kept; echo; base64 kept; cat no-such-file "$(cat kept)"', timeout_seconds: 60 } },
    { tool: 'shell', arguments: { command: 'true', credentials: ['another'] } },
  ]
  return steps[results.length] ?? 'It is printed.'
}

const later = (results: readonly string[]): Turn =>
  results.length === 0
    ? { tool: 'shell', arguments: { command: 'cat kept; echo; od -An -v -tx1 kept', timeout_seconds: 60 } }
    : `I know it: ${secret}`

describe('a secret that an agent was granted', function () {
  this.timeout(120_000)
  let service: WorkingService

  before(async () => {
    service = await startWorkingService({ print, later }, ['shell', 'read_process'])
    const { ada, agentId } = service
    const field = { name: 'token', value: secret, variable: 'CANARY_TOKEN' }
    const made = await ada.request('POST', '/api/credentials', { name: 'canary', title: 'A canary', fields: [field] })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    const grant = { agent_id: agentId, source: { kind: 'local', credential_id: made.body['id'] } }
    const granted = await ada.request('POST', '/api/credentials/grants', grant)
    expect(granted.status, JSON.stringify(granted.body)).to.equal(201)
  })
  after(() => service?.close())

  it('is in no encoding in what the model, people, the log and the store get, also after a restart', async () => {
    const stream = await service.ada.stream()
    const results = await service.resultsOf('print')
    if (!service.confines) {
      expect(results[0]).to.match(/^Code cannot run here because nothing would confine it/)
      return
    }
    expect(results[0]).to.include('plain <[credential canary]>').and.include(`printed ${secret.length} characters`)
    expect(results[2]).to.include('plain <[credential canary]>')
    expect(results[4]).to.include('[credential canary]')
    expect(results[5]).to.include('“another”').and.include('canary')
    const processes = (await service.ada.request('GET', '/api/sandbox/processes')).body['items'] as readonly { readonly id: string }[]
    const outputs: string[] = []
    for (const { id } of processes)
      outputs.push(JSON.stringify((await service.ada.request('GET', `/api/sandbox/processes/${id}/output`)).body))
    expect(outputs.join('\n')).to.include('[credential canary]')

    const grants = (await service.ada.request('GET', '/api/credentials/grants')).body['items'] as readonly { readonly id: string }[]
    for (const { id } of grants) await service.ada.request('DELETE', `/api/credentials/grants/${id}`)
    stream.close()
    await service.kill()
    await service.restart()
    const again = await service.ada.stream()
    expect((await service.resultsOf('later'))[0]).to.match(/\[credential canary\].*\[credential canary\]/s)
    again.close()
    expect(again.events.some(({ data }) => JSON.stringify(data).includes('I know it: [credential canary]'))).to.equal(true)

    await confirm(service.ada)
    const { url, token } = service.ada
    const archive = await fetch(`${url}/api/users/me/export`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    expect(archive.status).to.equal(200)
    const exported = [...readZip(Buffer.from(await archive.arrayBuffer()))]
      .filter(([name]) => !name.includes('workspaces/'))
      .flatMap(([name, content]) => [name, ...unescaped(content.toString())])
    expect(exported.join('\n')).to.include('[credential canary]')
    await service.kill()

    const places = {
      'the requests to the model': service.received.flatMap((body) => textsIn(JSON.parse(body))),
      'the events': [...stream.events, ...again.events].flatMap(({ data }) => textsIn(data)),
      'the log': service.log(),
      'the output of processes': outputs.flatMap((output) => textsIn(JSON.parse(output))),
      'the export': exported,
      'the store': await storedTexts(service.folder),
    }
    for (const [place, texts] of Object.entries(places)) {
      expect(texts, place).to.not.have.length(0)
      expect(encodingsIn(texts, secret), place).to.deep.equal([])
    }
    for (const encoding of Object.values(encodingsOf(secret))) expect(encodingsIn([encoding], secret), encoding).to.not.have.length(0)
  })
})

/** All texts in a value, at any depth. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)])
      : []

/** The files of the data folder but those of the agent's workspace, as text and as text of JSON in it. */
async function storedTexts(folder: string): Promise<readonly string[]> {
  const data = path.join(folder, 'data')
  const names = (await readdir(data, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const files = names.map((entry) => path.join(entry.parentPath, entry.name)).filter((file) => !file.includes('/workspaces/'))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return texts.flatMap(unescaped)
}

/** A text, and as it would be inside JSON. */
const unescaped = (text: string): readonly string[] => [text, text.replaceAll(/\\(["\\/])/g, '$1').replaceAll('\\n', '\n')]
